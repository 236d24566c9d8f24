import { randomBytes } from "node:crypto";
import { TERMINAL } from "../contract/auditKinds.ts";
import { comparedAddress, emailAddress } from "../contract/emailAddress.ts";
import { base62, makeKey } from "../contract/keyForm.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import { quoted } from "../contract/quoting.ts";
import type { TierTable } from "../contract/tiers.ts";
import { type AccountChange, auditEntry } from "./changes.ts";
import {
  type AskedBounds,
  type AskedChange,
  draftKey,
  keyBounds,
  keyName,
  tooManyToday,
} from "./keyBounds.ts";
import type { KeyPage, PartOfKeys, PeopleStore } from "./peopleStore.ts";
import { AccountRefusal, noAccount, noLiveKey } from "./refusal.ts";
import { AddressHashes } from "./secrets.ts";
import type { Account, AccountStore, DailyKeys, NewAccount, NewKey } from "./store.ts";

/** The contract's limit of live keys for one account. */
export const MOST_LIVE_KEYS = 20;
const FIRST_KEYS: PartOfKeys = { offset: 0, limit: 100 };
/** A suspension outlives its account for so long. */
const KEEP_SUSPENSION_MS = 365 * 24 * 3_600_000;

/** What accounts need of a state store. */
export interface AccountFacets {
  readonly accounts: AccountStore;
  readonly people: PeopleStore;
}

export interface AccountsOptions {
  /** Unix milliseconds */
  readonly now?: () => number;
  /** Called with keys that were revoked or deleted here, so that this process refuses them at once. */
  readonly onKeysEnded?: (keyIds: readonly string[]) => void;
  /** Called with what was changed of an account, and by whom. */
  readonly onChange?: (change: AccountChange) => void;
  /** Called with a key whose bounds were changed here. */
  readonly onKeyChanged?: (keyId: string) => void;
}

/** Makes accounts and keys and changes them, within the rules of the contract. */
export class Accounts {
  readonly #store: AccountStore;
  readonly #people: PeopleStore;
  readonly #tiers: TierTable;
  readonly #addresses: AddressHashes;
  readonly #now: () => number;
  readonly #options: AccountsOptions;

  constructor({ accounts, people }: AccountFacets, tiers: TierTable, options: AccountsOptions = {}) {
    this.#store = accounts;
    this.#people = people;
    this.#tiers = tiers;
    this.#now = options.now ?? Date.now;
    this.#options = options;
    this.#addresses = new AddressHashes(people);
  }

  /** Notes that keys have ended otherwise. */
  keysEnded(keyIds: readonly string[]): void {
    this.#options.onKeysEnded?.(keyIds);
  }

  /**
   * A new account; its e-mail address is kept in lower case and belongs to one account only. It is suspended when the address's last
   * account was.
   * @throws {AccountRefusal} for a bad or taken address or an unknown tier
   */
  async create(email: string, tierName: string, by = TERMINAL): Promise<Account> {
    const made = await this.add(email, tierName);
    await this.tell({ by, accountId: made.id, what: "created", to: tierName });
    return made;
  }

  /** The same, told to nobody: only the demo makes its accounts by itself. */
  async add(email: string, tierName: string): Promise<Account> {
    const { emailHash, ...account } = await this.draft(email, tierName, this.#now());
    if (!(await this.#store.add({ ...account, ...(emailHash !== undefined && { emailHash }) }))) {
      throw new AccountRefusal(`${quoted(account.email)} has an account already`);
    }
    return this.find(account.id);
  }

  /**
   * An account that is not stored yet.
   * @throws {AccountRefusal} for a bad address or an unknown tier
   */
  async draft(email: string, tierName: string, nowMs: number): Promise<NewAccount> {
    const address = normalEmail(email);
    this.checkTier(tierName);
    return {
      id: `acc_${base62(16, randomBytes)}`,
      email: address,
      tierName,
      isSuspended: false,
      createdAt: new Date(nowMs).toISOString(),
      emailHash: await this.#addresses.of(address),
    };
  }

  /** @throws {AccountRefusal} when there is none with this id */
  async find(id: string): Promise<Account> {
    const account = await this.#store.find(id);
    if (account === undefined) throw noAccount(id);
    return account;
  }

  list(): Promise<readonly Account[]> {
    return this.#store.all();
  }

  /** Gives an account another tier, which answers its request for one; it counts from the next call on. */
  async setTier(id: string, tierName: string, by = TERMINAL): Promise<void> {
    this.checkTier(tierName);
    const before = await this.find(id);
    const [asked] = await this.#people.planRequests(id);
    if (!(await this.#store.setTier(id, tierName))) throw noAccount(id);
    await this.tell({ by, accountId: id, what: "tier", from: before.tierName, to: tierName });
    if (asked !== undefined)
      await this.tell({ by, accountId: id, what: "plan request", from: asked.tierName });
  }

  /** A suspended account's calls are answered FORBIDDEN until it is resumed. */
  async setSuspended(id: string, isSuspended: boolean, by = TERMINAL): Promise<void> {
    const before = await this.find(id);
    const at = new Date(this.#now()).toISOString();
    if (!(await this.#store.setSuspended(id, isSuspended, at))) throw noAccount(id);
    await this.tell({ by, accountId: id, what: "suspended", from: before.isSuspended, to: isSuspended });
  }

  /**
   * Ends the suspension of an address: that of its account, and the one that was kept when its account was deleted.
   * @throws {AccountRefusal} when there is none
   */
  async resumeAddress(email: string, by = TERMINAL): Promise<void> {
    // The kept one first: an account that is made in between has taken it over.
    const wasKept = await this.#people.endKeptSuspension(await this.#addresses.of(email));
    if (wasKept) await this.tell({ by, what: "kept suspension", from: true, to: false });
    const person = await this.#people.personByEmail(comparedAddress(email));
    if (person?.account.isSuspended) await this.setSuspended(person.account.id, false, by);
    else if (!wasKept) {
      throw new AccountRefusal(
        `${quoted(email)} is not suspended: "opzoek account list" and "opzoek account suspensions" show what is`,
      );
    }
  }

  /** Whether the operator's views of the account page are open to an account. */
  async setAdmin(id: string, isAdmin: boolean, by = TERMINAL): Promise<void> {
    const before = await this.#people.person(id);
    if (!(await this.#people.setAdmin(id, isAdmin))) throw noAccount(id);
    await this.tell({ by, accountId: id, what: "operator", from: before?.isAdmin === true, to: isAdmin });
  }

  /** Turns two-factor sign-in off for who has lost device and codes. @throws {AccountRefusal} when it is not on */
  async resetTwoFactor(id: string, by = TERMINAL): Promise<void> {
    await this.find(id);
    if (!(await this.#people.removeTwoFactor(id))) {
      throw new AccountRefusal(`two-factor sign-in is not on for ${quoted(id)}: there is nothing to reset`);
    }
    await this.tell({ by, accountId: id, what: "two-factor", from: true, to: false });
  }

  /**
   * Deletes an account with its keys, sessions and ledger. What it used this month is kept under a keyed hash of its
   * address, so that whoever comes back does not find the allowance full again, and so is a suspension, for a year.
   */
  async remove(id: string, by = TERMINAL): Promise<void> {
    const { email } = await this.find(id);
    const { keys } = await this.#people.keyPage(id, FIRST_KEYS);
    const emailHash = await this.#addresses.of(email);
    const suspendedUntilMs = this.#now() + KEEP_SUSPENSION_MS;
    if (!(await this.#people.deleteAccount(id, emailHash, suspendedUntilMs))) throw noAccount(id);
    this.keysEnded(keys.filter(({ revokedAt }) => revokedAt === undefined).map((key) => key.id));
    await this.tell({ by, accountId: id, what: "deleted" });
  }

  /** Keeps a change in the audit log and tells the log. What stays as it was is no change. */
  async tell(change: AccountChange): Promise<void> {
    if (change.from !== undefined && change.from === change.to) return;
    await this.#people.addAudit(auditEntry(change, this.#now()));
    this.#options.onChange?.(change);
  }

  /**
   * A new key. It is returned this once and stored as a hash only.
   * @throws {AccountRefusal} for an unknown account, a bad name, bad bounds, or too many live keys
   */
  async createKey(
    accountId: string,
    name: string,
    kind: KeyKind = "live",
    bounds: AskedBounds = {},
    by = TERMINAL,
  ): Promise<{ key: string; id: string }> {
    const key = makeKey(kind, randomBytes);
    const id = await this.addKey(accountId, name, key, bounds);
    await this.tell({ by, accountId, keyId: id, what: "key made" });
    return { key, id };
  }

  /** Stores a key that exists already: only the demo has such keys, from its public seed. */
  async addKey(accountId: string, name: string, key: string, bounds: AskedBounds = {}): Promise<string> {
    const drafted = draftKey(accountId, name, key, this.#now(), bounds);
    await this.storeKey(drafted);
    return drafted.id;
  }

  /**
   * @param daily whose key of the day it is; the operator's own count for none
   * @throws {AccountRefusal} for an unknown account or too many live keys
   * @throws {PersonRefusal} tries, when that day has had its keys
   */
  async storeKey(key: NewKey, daily?: DailyKeys): Promise<void> {
    const result = await this.#store.addKey(key, MOST_LIVE_KEYS, daily);
    if (result === "no-account") throw noAccount(key.accountId);
    if (result === "too-many-today") throw tooManyToday(key);
    if (result === "too-many") {
      throw new AccountRefusal(
        `account ${key.accountId} has ${MOST_LIVE_KEYS} live keys, which is the most: revoke one first`,
      );
    }
  }

  /** Some keys of an account, live ones first. @throws {AccountRefusal} when there is no such account */
  async keys(accountId: string, part: PartOfKeys = FIRST_KEYS): Promise<KeyPage> {
    await this.find(accountId);
    return this.#people.keyPage(accountId, part);
  }

  /** Ends a key as the operator. @throws {AccountRefusal} when there is no live key with this id */
  async revokeKey(id: string, by = TERMINAL): Promise<void> {
    if (!(await this.endKey(id))) throw noLiveKey(id);
    await this.tell({ by, keyId: id, what: "key revoked" });
  }

  /** Ends a key as its owner may. False when there is no live key with this id. */
  async endKey(id: string): Promise<boolean> {
    if (!(await this.#store.revokeKey(id, new Date(this.#now()).toISOString()))) return false;
    this.keysEnded([id]);
    return true;
  }

  /**
   * Renames a key as the operator, moves its expiry, or says where it may be used from.
   * @throws {AccountRefusal} when there is no such key that is not revoked, for a bad name and for bad bounds
   */
  async changeKey(id: string, change: AskedChange, by = TERMINAL): Promise<void> {
    if (!(await this.applyToKey(id, change)))
      throw noLiveKey(id, change.origins ?? change.mayLookUp ?? change.dailyTokens);
    await this.tell({ by, keyId: id, what: "key changed" });
  }

  /** The same, told to nobody, of a key of an account if one is named. False when there is no such key. */
  async applyToKey(id: string, { name, ...bounds }: AskedChange, accountId?: string): Promise<boolean> {
    const change = { ...(name !== undefined && { name: keyName(name) }), ...keyBounds(bounds, this.#now()) };
    const isChanged = await this.#store.changeKey(id, change, accountId);
    if (isChanged) this.#options.onKeyChanged?.(id);
    return isChanged;
  }

  /** @throws {AccountRefusal} when the table has no such tier */
  checkTier(tierName: string): void {
    if (Object.hasOwn(this.#tiers, tierName)) return;
    throw new AccountRefusal(
      `there is no tier ${quoted(tierName)}; the tiers are ${Object.keys(this.#tiers).join(", ")}`,
    );
  }
}

/**
 * An address as it is stored and compared.
 * @throws {AccountRefusal} for one that is not taken
 */
export function normalEmail(email: string): string {
  const address = emailAddress(email);
  if (address !== undefined) return address;
  // Without an @ it may be a password.
  const shown = email.includes("@") ? quoted(email) : "this";
  throw new AccountRefusal(
    `${shown} is no e-mail address that is taken here: write it as name@company.example, without quotes, brackets or accents in the name`,
    "email",
  );
}
