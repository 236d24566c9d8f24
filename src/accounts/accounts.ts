import { randomBytes } from "node:crypto";
import { TERMINAL } from "../contract/auditKinds.ts";
import { comparedAddress, emailAddress } from "../contract/emailAddress.ts";
import { base62, makeKey } from "../contract/keyForm.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import { quoted } from "../contract/quoting.ts";
import type { TierTable } from "../contract/tiers.ts";
import { type AccountChange, auditEntry } from "./changes.ts";
import {
  draftKey,
  keyBounds,
  keyName,
  type RequestedBounds,
  type RequestedChange,
  tooManyToday,
} from "./keyBounds.ts";
import type { KeyPage, PartOfKeys } from "./people.ts";
import type { AccountQueries } from "./queries/accounts.ts";
import type { PeopleQueries } from "./queries.ts";
import { AccountRefusal, noAccount, noLiveKey } from "./refusal.ts";
import { AddressHashes } from "./secrets.ts";
import type { Account, DailyKeys, NewAccount, NewKey } from "./stored.ts";

/** The maximum number of live keys of one account. */
export const MAX_LIVE_KEYS = 20;
const FIRST_KEYS: PartOfKeys = { offset: 0, limit: 100 };
/** How long a suspension is stored after its account was deleted. */
const SUSPENSION_RETENTION_MS = 365 * 24 * 3_600_000;

/** The parts of a state store that accounts use. */
export interface AccountFacets {
  readonly accounts: AccountQueries;
  readonly people: PeopleQueries;
}

export interface AccountsOptions {
  /** Unix milliseconds */
  readonly now?: () => number;
  /** Called with revoked or deleted keys, so that this process refuses them at once. */
  readonly onKeysEnded?: (keyIds: readonly string[]) => void;
  /** Called after each change of an account. */
  readonly onChange?: (change: AccountChange) => void;
  /** Called with a key whose restrictions were changed. */
  readonly onKeyChanged?: (keyId: string) => void;
}

/** Creates and changes accounts and keys by the rules of the contract. */
export class Accounts {
  readonly #store: AccountQueries;
  readonly #people: PeopleQueries;
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

  /** Reports keys that were ended elsewhere. */
  keysEnded(keyIds: readonly string[]): void {
    this.#options.onKeysEnded?.(keyIds);
  }

  /**
   * Creates an account. Its email address is stored in lower case and belongs to one account only. It is suspended if
   * the previous account with that address was.
   * @throws {AccountRefusal} (the promise) for a bad or taken address or an unknown tier
   */
  async create(email: string, tierName: string, by = TERMINAL): Promise<Account> {
    const account = await this.add(email, tierName);
    await this.record({ by, accountId: account.id, what: "created", to: tierName });
    return account;
  }

  /** Creates an account without an audit entry, for the demo. */
  async add(email: string, tierName: string): Promise<Account> {
    const { emailHash, ...account } = await this.draft(email, tierName, this.#now());
    if (!(await this.#store.add({ ...account, ...(emailHash !== undefined && { emailHash }) }))) {
      throw new AccountRefusal(`${quoted(account.email)} already has an account`);
    }
    return this.find(account.id);
  }

  /**
   * Returns an account that is not stored yet.
   * @throws {AccountRefusal} (the promise) for a bad address or an unknown tier
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

  /** @throws {AccountRefusal} (the promise) if no account has this id */
  async find(id: string): Promise<Account> {
    const account = await this.#store.find(id);
    if (account === undefined) throw noAccount(id);
    return account;
  }

  list(): Promise<readonly Account[]> {
    return this.#store.all();
  }

  /** Sets an account's tier and ends its request for a plan. The tier applies from the next call. */
  async setTier(id: string, tierName: string, by = TERMINAL): Promise<void> {
    this.checkTier(tierName);
    const before = await this.find(id);
    const [planRequest] = await this.#people.planRequests(id);
    if (!(await this.#store.setTier(id, tierName))) throw noAccount(id);
    await this.record({ by, accountId: id, what: "tier", from: before.tierName, to: tierName });
    if (planRequest !== undefined)
      await this.record({ by, accountId: id, what: "plan request", from: planRequest.tierName });
  }

  /** Suspends or resumes an account. Calls of a suspended account are refused with FORBIDDEN. */
  async setSuspended(id: string, isSuspended: boolean, by = TERMINAL): Promise<void> {
    const before = await this.find(id);
    const at = new Date(this.#now()).toISOString();
    if (!(await this.#store.setSuspended(id, isSuspended, at))) throw noAccount(id);
    await this.record({ by, accountId: id, what: "suspended", from: before.isSuspended, to: isSuspended });
  }

  /**
   * Ends the suspension of an address: of its account, and as stored for a deleted account.
   * @throws {AccountRefusal} (the promise) if the address is not suspended
   */
  async resumeAddress(email: string, by = TERMINAL): Promise<void> {
    // The stored one first, because an account that is created in between has inherited it.
    const wasSuspended = await this.#people.endRetainedSuspension(await this.#addresses.of(email));
    if (wasSuspended) await this.record({ by, what: "kept suspension", from: true, to: false });
    const person = await this.#people.personByEmail(comparedAddress(email));
    if (person?.account.isSuspended) await this.setSuspended(person.account.id, false, by);
    else if (!wasSuspended) {
      throw new AccountRefusal(
        `${quoted(email)} is not suspended: see "opzoek account list" and "opzoek account suspensions"`,
      );
    }
  }

  /** Makes an account an operator, or removes that right. */
  async setAdmin(id: string, isAdmin: boolean, by = TERMINAL): Promise<void> {
    const before = await this.#people.person(id);
    if (!(await this.#people.setAdmin(id, isAdmin))) throw noAccount(id);
    await this.record({ by, accountId: id, what: "operator", from: before?.isAdmin === true, to: isAdmin });
  }

  /**
   * Turns off two-factor sign-in for someone who lost device and codes.
   * @throws {AccountRefusal} (the promise) if it is not on
   */
  async resetTwoFactor(id: string, by = TERMINAL): Promise<void> {
    await this.find(id);
    if (!(await this.#people.removeTwoFactor(id))) {
      throw new AccountRefusal("two-factor sign-in is already off for this account");
    }
    await this.record({ by, accountId: id, what: "two-factor", from: true, to: false });
  }

  /**
   * Deletes an account with its keys, sessions and ledger. Its usage of this month is stored under a keyed hash of the
   * address, so that signing up again does not refill the allowance. A suspension is stored in the same way for a year.
   */
  async remove(id: string, by = TERMINAL): Promise<void> {
    const { email } = await this.find(id);
    const { keys } = await this.#people.keyPage(id, FIRST_KEYS);
    const emailHash = await this.#addresses.of(email);
    const suspendedUntilMs = this.#now() + SUSPENSION_RETENTION_MS;
    if (!(await this.#people.deleteAccount(id, emailHash, suspendedUntilMs))) throw noAccount(id);
    this.keysEnded(keys.filter(({ revokedAt }) => revokedAt === undefined).map((key) => key.id));
    await this.record({ by, accountId: id, what: "deleted" });
  }

  /** Adds a change to the audit log and logs it. Setting the same value is not a change. */
  async record(change: AccountChange): Promise<void> {
    if (change.from !== undefined && change.from === change.to) return;
    await this.#people.addAudit(auditEntry(change, this.#now()));
    this.#options.onChange?.(change);
  }

  /**
   * Creates a key. It is returned only here and stored as a hash.
   * @throws {AccountRefusal} (the promise) for an unknown account, a bad name, bad restrictions, or too many live keys
   */
  async createKey(
    accountId: string,
    name: string,
    kind: KeyKind = "live",
    bounds: RequestedBounds = {},
    by = TERMINAL,
  ): Promise<{ key: string; id: string }> {
    const key = makeKey(kind, randomBytes);
    const id = await this.addKey(accountId, name, key, bounds);
    await this.record({ by, accountId, keyId: id, what: "key made" });
    return { key, id };
  }

  /** Stores a given key, for the demo's keys derived from a public seed. */
  async addKey(accountId: string, name: string, key: string, bounds: RequestedBounds = {}): Promise<string> {
    const drafted = draftKey(accountId, name, key, this.#now(), bounds);
    await this.storeKey(drafted);
    return drafted.id;
  }

  /**
   * @param daily the daily count that the key adds to; operators' keys have none
   * @throws {AccountRefusal} (the promise) for an unknown account or too many live keys
   * @throws {PersonRefusal} (the promise) tries, if the day's limit is reached
   */
  async storeKey(key: NewKey, daily?: DailyKeys): Promise<void> {
    const result = await this.#store.addKey(key, MAX_LIVE_KEYS, daily);
    if (result === "no-account") throw noAccount(key.accountId);
    if (result === "too-many-today") throw tooManyToday(key);
    if (result === "too-many") {
      throw new AccountRefusal(
        `account ${key.accountId} already has the maximum of ${MAX_LIVE_KEYS} live keys: revoke one first`,
      );
    }
  }

  /**
   * Returns a page of an account's keys, live ones first.
   * @throws {AccountRefusal} (the promise) if the account does not exist
   */
  async keys(accountId: string, part: PartOfKeys = FIRST_KEYS): Promise<KeyPage> {
    await this.find(accountId);
    return this.#people.keyPage(accountId, part);
  }

  /** Revokes a key as the operator. @throws {AccountRefusal} (the promise) if there is no live key with this id */
  async revokeKey(id: string, by = TERMINAL): Promise<void> {
    if (!(await this.endKey(id))) throw noLiveKey(id);
    await this.record({ by, keyId: id, what: "key revoked" });
  }

  /** Revokes a key. @returns false if there is no live key with this id */
  async endKey(id: string): Promise<boolean> {
    if (!(await this.#store.revokeKey(id, new Date(this.#now()).toISOString()))) return false;
    this.keysEnded([id]);
    return true;
  }

  /**
   * Changes a key's name, expiry or restrictions as the operator.
   * @throws {AccountRefusal} (the promise) if there is no such unrevoked key, or for a bad name or bad restrictions
   */
  async changeKey(id: string, change: RequestedChange, by = TERMINAL): Promise<void> {
    if (!(await this.applyToKey(id, change)))
      throw noLiveKey(id, change.origins ?? change.mayLookUp ?? change.dailyTokens);
    await this.record({ by, keyId: id, what: "key changed" });
  }

  /**
   * Changes a key without an audit entry.
   * @param accountId the account that the key must belong to
   * @returns false if there is no such key
   */
  async applyToKey(id: string, { name, ...bounds }: RequestedChange, accountId?: string): Promise<boolean> {
    const change = { ...(name !== undefined && { name: keyName(name) }), ...keyBounds(bounds, this.#now()) };
    const isChanged = await this.#store.changeKey(id, change, accountId);
    if (isChanged) this.#options.onKeyChanged?.(id);
    return isChanged;
  }

  /** @throws {AccountRefusal} if the table has no such tier */
  checkTier(tierName: string): void {
    if (Object.hasOwn(this.#tiers, tierName)) return;
    throw new AccountRefusal(
      `unknown tier ${quoted(tierName)}; the tiers are ${Object.keys(this.#tiers).join(", ")}`,
    );
  }
}

/** Returns an address as it is stored and compared. @throws {AccountRefusal} for an address that is not accepted */
export function normalEmail(email: string): string {
  const address = emailAddress(email);
  if (address !== undefined) return address;
  // Without an @ it may be a password.
  const shown = email.includes("@") ? quoted(email) : "this";
  throw new AccountRefusal(
    `${shown} is not an accepted email address: write it as name@company.example, without quotes, brackets or accents`,
    "email",
  );
}
