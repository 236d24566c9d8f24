import { randomBytes } from "node:crypto";
import type { AccountKey, NewAccountKey } from "../contract/accountResources.ts";
import { type KeyKind, keyHint, makeKey } from "../contract/keyForm.ts";
import { type Accounts, draftKey, MOST_LIVE_KEYS } from "./accounts.ts";
import type { Figures, PeopleStore, StoredPerson } from "./peopleStore.ts";
import { PersonRefusal } from "./refusal.ts";
import type { AccountStore, Key } from "./store.ts";

const HOUR_MS = 3_600_000;
const FIRST_KEY_NAME = "first key";

/** The keys of the person who asks: nobody else's can be seen or touched. */
export class OwnKeys {
  readonly #store: Pick<AccountStore, "keys"> & { readonly people: PeopleStore };
  readonly #accounts: Accounts;
  readonly #now: () => number;

  constructor(
    store: Pick<AccountStore, "keys"> & { readonly people: PeopleStore },
    accounts: Accounts,
    now: () => number,
  ) {
    this.#store = store;
    this.#accounts = accounts;
    this.#now = now;
  }

  /** The newest first; of the revoked ones those that ended this month. `used` says what each did this month. */
  async list(
    accountId: string,
    used: ReadonlyMap<string, Figures>,
    monthStart: string,
  ): Promise<AccountKey[]> {
    const [keys, uses] = await Promise.all([
      this.#store.keys(accountId),
      this.#store.people.lastUse(accountId),
    ]);
    const lastUse = new Map(uses.map(({ keyId, day }) => [keyId, day]));
    return keys
      .filter(({ revokedAt }) => revokedAt === undefined || revokedAt >= monthStart)
      .map((key) => this.#shown(key, lastUse.get(key.id), used.get(key.id)))
      .reverse();
  }

  /** @throws {AccountRefusal} for a bad name or too many live keys */
  async make(accountId: string, name: string, kind: KeyKind): Promise<NewAccountKey> {
    const key = makeKey(kind, randomBytes);
    const drafted = draftKey(accountId, name, key, this.#now());
    await this.#accounts.storeKey(drafted);
    const { id, name: shownName, createdAt } = drafted;
    return { key, id, name: shownName, ...keyHint(key), createdAt };
  }

  /** The key of the first minute, once for an account. @throws {PersonRefusal} once */
  async takeFirst({ account, mayTakeFirstKey }: StoredPerson): Promise<NewAccountKey> {
    const takenAt = new Date(this.#now()).toISOString();
    if (!mayTakeFirstKey || !(await this.#store.people.takeFirstKey(account.id, takenAt))) {
      throw new PersonRefusal("once", "the first key was made already and is shown once; make another one");
    }
    return this.make(account.id, FIRST_KEY_NAME, "live");
  }

  /** @throws {PersonRefusal} nothing */
  async revoke(accountId: string, keyId: string): Promise<void> {
    await this.#own(accountId, keyId);
    await this.#accounts.revokeKey(keyId);
  }

  /**
   * A new key of the same name and kind in the place of another, which works on for so many hours.
   * @throws {PersonRefusal} nothing, input
   */
  async roll(accountId: string, keyId: string, overlapHours: number): Promise<NewAccountKey> {
    const old = await this.#own(accountId, keyId);
    const nowMs = this.#now();
    const key = makeKey(kindOf(old), randomBytes);
    const drafted = draftKey(accountId, old.name, key, nowMs);
    const endsAt = new Date(nowMs + overlapHours * HOUR_MS).toISOString();
    const rolled = await this.#store.people.rollKey(keyId, drafted, endsAt, MOST_LIVE_KEYS);
    if (rolled === "no-key") throw noKey();
    if (rolled === "too-many") {
      throw new PersonRefusal(
        "input",
        `with an overlap you would have more than ${MOST_LIVE_KEYS} live keys: revoke one, or roll without an overlap`,
      );
    }
    if (overlapHours === 0) this.#accounts.keysEnded([keyId]);
    const { id, name, createdAt } = drafted;
    return { key, id, name, ...keyHint(key), createdAt, replaces: { id: keyId, endsAt } };
  }

  /** A live key of the account: the named one, else the newest. @throws {PersonRefusal} nothing, input */
  async live(accountId: string, keyId: string | undefined): Promise<string> {
    if (keyId !== undefined) return (await this.#own(accountId, keyId)).id;
    const keys = await this.#store.keys(accountId);
    const newest = keys.filter((key) => !this.#hasEnded(key)).at(-1);
    if (newest === undefined) throw new PersonRefusal("input", "you have no live key: make one first");
    return newest.id;
  }

  async #own(accountId: string, keyId: string): Promise<Key> {
    const keys = await this.#store.keys(accountId);
    const found = keys.find((key) => key.id === keyId && !this.#hasEnded(key));
    if (found === undefined) throw noKey();
    return found;
  }

  /** A key that was rolled ends at its time, whether it was marked as revoked by then or not. */
  #hasEnded({ revokedAt, endsAt }: Key): boolean {
    return revokedAt !== undefined || (endsAt !== undefined && Date.parse(endsAt) <= this.#now());
  }

  #shown(key: Key, lastUsedOn: string | undefined, used: Figures | undefined): AccountKey {
    const { accountId: _account, ...shown } = key;
    return {
      ...shown,
      state: this.#hasEnded(key) ? "revoked" : key.endsAt === undefined ? "live" : "ending",
      ...(lastUsedOn !== undefined && { lastUsedOn }),
      requests: used?.requests ?? 0,
      tokens: used?.tokens ?? 0,
    };
  }
}

function kindOf({ prefix }: Key): KeyKind {
  if (prefix === "opz_test_") return "test";
  return prefix === "opz_pub_" ? "pub" : "live";
}

function noKey(): PersonRefusal {
  return new PersonRefusal(
    "nothing",
    "you have no live key with this id; it may be revoked or rolled already",
  );
}
