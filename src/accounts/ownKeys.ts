import { randomBytes } from "node:crypto";
import type { Language } from "../contract/accountResources.ts";
import { keyHint, makeKey } from "../contract/keyForm.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import type { AccountKey, NewAccountKey } from "../contract/keyResources.ts";
import { PAGE_KEY_NAME, PAGE_KEY_PREFIX, pageKeyOf } from "../contract/pageKey.ts";
import { boundedCache } from "../lib/boundedCache.ts";
import type { KeyFigures } from "../metering/ledger.ts";
import { lastUse, sumsByKey } from "../metering/ledgerReads.ts";
import type { LedgerQueries } from "../metering/queries/ledger.ts";
import { MAX_LIVE_KEYS } from "./accounts.ts";
import {
  draftKey,
  MAX_KEYS_A_DAY,
  type RequestedBounds,
  type RequestedChange,
  tooManyToday,
} from "./keyBounds.ts";
import type { PeopleParts } from "./parts.ts";
import type { PartOfKeys, StoredPerson } from "./people.ts";
import { PersonRefusal } from "./refusal.ts";
import type { Account, DailyKeys, Key, NewKey } from "./stored.ts";

const HOUR_MS = 3_600_000;
/** The name is stored, and the person can change it, so it does not follow the page's language. */
const FIRST_KEY_NAMES: Readonly<Record<Language, string>> = { en: "first key", nl: "eerste sleutel" };
/** 150 bytes each. */
const MAX_KNOWN_ACCOUNTS = 20_000;

interface OwnKeysParts extends Pick<PeopleParts, "store" | "accounts" | "addresses" | "now"> {
  /** That of live keys and that of test keys. */
  readonly ledgers: readonly LedgerQueries[];
}

/** The keys of a signed-in person, who cannot see or change the keys of other accounts. */
export class OwnKeys {
  readonly #parts: OwnKeysParts;
  /** Accounts whose page key is known to exist. */
  readonly #withPageKey = boundedCache<string, true>(MAX_KNOWN_ACCOUNTS);

  constructor(parts: OwnKeysParts) {
    this.#parts = parts;
  }

  /**
   * Returns a page of keys with their usage: live ones first, newest first. `live` is the number of working keys.
   */
  async list(
    accountId: string,
    part: PartOfKeys,
    days: { readonly firstDay: string; readonly lastDay: string },
  ): Promise<{ keys: AccountKey[]; total: number; live: number }> {
    const [{ keys, total }, { keys: first }] = await Promise.all([
      this.#parts.store.keyPage(accountId, part),
      this.#parts.store.keyPage(accountId, { offset: 0, limit: MAX_LIVE_KEYS }),
    ]);
    const keyIds = keys.map(({ id }) => id);
    const ofKeys = await Promise.all(
      this.#parts.ledgers.map((ledger) =>
        Promise.all([
          lastUse(ledger, accountId, keyIds),
          sumsByKey(ledger, accountId, days.firstDay, days.lastDay, { keyIds }),
        ]),
      ),
    );
    const lastDays = new Map(ofKeys.flatMap(([uses]) => uses.map(({ keyId, day }) => [keyId, day] as const)));
    const used = new Map(ofKeys.flatMap(([, figures]) => figures.map((line) => [line.keyId, line] as const)));
    const live = first.filter((key) => !this.#hasEnded(key)).length;
    return { keys: keys.map((key) => this.#shown(key, lastDays.get(key.id), used.get(key.id))), total, live };
  }

  /**
   * @throws {AccountRefusal} (the promise) for a bad name, bad restrictions or too many live keys
   * @throws {PersonRefusal} (the promise) tries, if the address has created its maximum for the day
   */
  async make(
    account: Account,
    name: string,
    kind: KeyKind,
    bounds: RequestedBounds = {},
  ): Promise<NewAccountKey> {
    const key = makeKey(kind, randomBytes);
    const drafted = draftKey(account.id, name, key, this.#parts.now(), bounds);
    await this.#parts.accounts.storeKey(drafted, await this.#daily(account, drafted));
    return shownOnce(key, drafted);
  }

  /**
   * Creates the first key of an account, once, with a name in the person's language. It does not count towards the
   * daily limit.
   * @throws {PersonRefusal} (the promise) once
   */
  async takeFirst({ account, language, mayTakeFirstKey }: StoredPerson): Promise<NewAccountKey> {
    const takenAt = new Date(this.#parts.now()).toISOString();
    if (!mayTakeFirstKey || !(await this.#parts.store.takeFirstKey(account.id, takenAt))) {
      throw new PersonRefusal(
        "once",
        "the first key was already created and is shown only once; create another one",
      );
    }
    const key = makeKey("live", randomBytes);
    const drafted = draftKey(account.id, FIRST_KEY_NAMES[language], key, this.#parts.now());
    // It is already marked as taken, so a daily limit must not refuse it.
    await this.#parts.accounts.storeKey(drafted);
    return shownOnce(key, drafted);
  }

  /** @throws {PersonRefusal} (the promise) nothing */
  async revoke(accountId: string, keyId: string): Promise<void> {
    await this.#own(accountId, keyId);
    // It may have been revoked in the meantime.
    if (!(await this.#parts.accounts.endKey(keyId))) throw noKey();
  }

  /**
   * Changes a key's name and restrictions. Also works for an expired key.
   * @throws {AccountRefusal} (the promise) for a bad name and for bad restrictions
   * @throws {PersonRefusal} (the promise) nothing
   */
  async change(accountId: string, keyId: string, change: RequestedChange): Promise<void> {
    if (await this.#parts.accounts.applyToKey(keyId, change, accountId)) return;
    const isForBrowsers = (await this.#own(accountId, keyId)).kind === "pub";
    if (isForBrowsers) throw noKey();
    throw new PersonRefusal(
      "input",
      "this is not a browser key: it has no origins, lookups or daily tokens to change",
    );
  }

  /**
   * Replaces a key by a new one with the same name, kind and restrictions. The old key works for `overlapHours` more.
   * @throws {PersonRefusal} (the promise) nothing, input, tries
   */
  async roll(account: Account, keyId: string, overlapHours: number): Promise<NewAccountKey> {
    const old = await this.#own(account.id, keyId);
    const nowMs = this.#parts.now();
    const key = makeKey(old.kind, randomBytes);
    if (this.#isExpired(old)) {
      throw new PersonRefusal(
        "input",
        "this key has expired: change its expiry first, or create another key",
      );
    }
    const { expiresAt, addresses, browser } = old;
    const drafted = {
      ...draftKey(account.id, old.name, key, nowMs, browser),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(addresses !== undefined && { addresses }),
    };
    const daily = await this.#daily(account, drafted);
    const endsAt = new Date(nowMs + overlapHours * HOUR_MS).toISOString();
    const rolled = await this.#parts.store.rollKey(keyId, drafted, endsAt, MAX_LIVE_KEYS, daily);
    if (rolled === "no-key") throw noKey();
    if (rolled === "too-many-today") throw tooManyToday(drafted);
    if (rolled === "too-many") {
      throw new PersonRefusal(
        "input",
        `the overlap would exceed the maximum of ${MAX_LIVE_KEYS} live keys: revoke one, or roll without an overlap`,
      );
    }
    if (overlapHours === 0) this.#parts.accounts.keysEnded([keyId]);
    return { ...shownOnce(key, drafted), replaces: { id: keyId, endsAt } };
  }

  /**
   * Returns the key for the account page's own calls, created on first use.
   * @throws {PersonRefusal} (the promise) nothing
   */
  async ofPage(accountId: string): Promise<string> {
    const id = pageKeyOf(accountId);
    if (this.#withPageKey.get(accountId) === true) return id;
    const createdAt = new Date(this.#parts.now()).toISOString();
    const shown = { name: PAGE_KEY_NAME, prefix: PAGE_KEY_PREFIX, lastFour: "", createdAt };
    const kind = "live";
    // Not a SHA-256, so no presented key can match it.
    if (!(await this.#parts.store.addPageKey({ id, accountId, ...shown, kind, hash: id }))) throw noKey();
    this.#withPageKey.set(accountId, true);
    return id;
  }

  async #own(accountId: string, keyId: string): Promise<Key> {
    const [found] = await this.#parts.store.keysNamed(accountId, [keyId]);
    if (found === undefined || this.#hasEnded(found)) throw noKey();
    return found;
  }

  async #daily({ email }: Account, { createdAt }: NewKey): Promise<DailyKeys> {
    const day = createdAt.slice(0, 10);
    return { subject: await this.#parts.addresses.of(email), day, limit: MAX_KEYS_A_DAY };
  }

  /** A rolled key ends at its time, whether it is already marked as revoked or not. */
  #hasEnded({ revokedAt, endsAt }: Key): boolean {
    return revokedAt !== undefined || (endsAt !== undefined && Date.parse(endsAt) <= this.#parts.now());
  }

  #isExpired({ expiresAt }: Key): boolean {
    return expiresAt !== undefined && Date.parse(expiresAt) <= this.#parts.now();
  }

  #state(key: Key): AccountKey["state"] {
    if (this.#hasEnded(key)) return "revoked";
    if (this.#isExpired(key)) return "expired";
    return key.endsAt === undefined ? "live" : "ending";
  }

  #shown(key: Key, lastUsedOn: string | undefined, used: KeyFigures | undefined): AccountKey {
    const { accountId: _account, addresses, browser, ...shown } = key;
    return {
      ...shown,
      state: this.#state(key),
      ...(addresses !== undefined && { addresses: [...addresses] }),
      ...(browser !== undefined && { browser: { ...browser, origins: [...browser.origins] } }),
      ...(lastUsedOn !== undefined && { lastUsedOn }),
      requests: used?.requests ?? 0,
      tokens: used?.tokens ?? 0,
    };
  }
}

function shownOnce(key: string, { id, name, kind, createdAt }: NewKey): NewAccountKey {
  return { key, id, name, ...keyHint(key), kind, createdAt };
}

function noKey(): PersonRefusal {
  return new PersonRefusal(
    "not-found",
    "you have no live key with this id; it may already be revoked or rolled",
  );
}
