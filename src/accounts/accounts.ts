import { randomBytes } from "node:crypto";
import { base62, hashKey, type KeyKind, keyHint, makeKey } from "../contract/keyForm.ts";
import { quoted } from "../contract/quoting.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Account, AccountStore, Key } from "./store.ts";

/** What was asked of an account cannot be done; the message says why and what to do. */
export class AccountRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AccountRefusal";
  }
}

/** The contract's limit of live keys for one account. */
export const MOST_LIVE_KEYS = 20;
const MOST_NAME_LENGTH = 100;
/** One @ with something on both sides: whether mail arrives is not decided by a pattern. */
const EMAIL = /^[^\s\p{C}@]{1,64}@[^\s\p{C}@]{1,190}$/u;
/** Characters that are not shown: in a list of keys they could rewrite the terminal's line. */
const UNSHOWN = /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u;

/** Makes accounts and keys and changes them, within the rules of the contract. */
export class Accounts {
  readonly #store: AccountStore;
  readonly #tiers: TierTable;

  constructor(store: AccountStore, tiers: TierTable) {
    this.#store = store;
    this.#tiers = tiers;
  }

  /**
   * A new account; its e-mail address is kept in lower case and belongs to one account only.
   * @throws {AccountRefusal} for a bad or taken address or an unknown tier
   */
  async create(email: string, tierName: string): Promise<Account> {
    const address = email.trim().toLowerCase();
    if (!EMAIL.test(address)) throw new AccountRefusal(`${quoted(email)} is no e-mail address`);
    this.#checkTier(tierName);
    const account = {
      id: `acc_${base62(16, randomBytes)}`,
      email: address,
      tierName,
      isSuspended: false,
      createdAt: new Date().toISOString(),
    };
    if (!(await this.#store.addAccount(account))) {
      throw new AccountRefusal(`${quoted(address)} has an account already`);
    }
    return account;
  }

  /** @throws {AccountRefusal} when there is none with this id */
  async find(id: string): Promise<Account> {
    const account = await this.#store.account(id);
    if (account === undefined) throw noAccount(id);
    return account;
  }

  list(): Promise<readonly Account[]> {
    return this.#store.accounts();
  }

  /** Gives an account another tier; it counts from the next call on. */
  async setTier(id: string, tierName: string): Promise<void> {
    this.#checkTier(tierName);
    if (!(await this.#store.setTier(id, tierName))) throw noAccount(id);
  }

  /** A suspended account's calls are answered FORBIDDEN until it is resumed. */
  async setSuspended(id: string, isSuspended: boolean): Promise<void> {
    if (!(await this.#store.setSuspended(id, isSuspended))) throw noAccount(id);
  }

  /**
   * A new key. It is returned this once and stored as a hash only.
   * @throws {AccountRefusal} for an unknown account, a bad name, or too many live keys
   */
  async createKey(
    accountId: string,
    name: string,
    kind: KeyKind = "live",
  ): Promise<{ key: string; id: string }> {
    const key = makeKey(kind, randomBytes);
    return { key, id: await this.addKey(accountId, name, key) };
  }

  /** Stores a key that exists already: only the demo has such keys, from its public seed. */
  async addKey(accountId: string, name: string, key: string): Promise<string> {
    const shownName = name.trim();
    if (shownName === "" || [...shownName].length > MOST_NAME_LENGTH || UNSHOWN.test(shownName)) {
      throw new AccountRefusal(
        `a key needs a name of 1 to ${MOST_NAME_LENGTH} characters, no control characters`,
      );
    }
    const id = `key_${base62(16, randomBytes)}`;
    const createdAt = new Date().toISOString();
    const stored = { id, accountId, name: shownName, ...keyHint(key), createdAt, hash: hashKey(key) };
    const result = await this.#store.addKey(stored, MOST_LIVE_KEYS);
    if (result === "no-account") throw noAccount(accountId);
    if (result === "too-many") {
      throw new AccountRefusal(
        `account ${accountId} has ${MOST_LIVE_KEYS} live keys, which is the most: revoke one first`,
      );
    }
    return id;
  }

  async keys(accountId: string): Promise<readonly Key[]> {
    await this.find(accountId);
    return this.#store.keys(accountId);
  }

  /** @throws {AccountRefusal} when there is no live key with this id */
  async revokeKey(id: string): Promise<void> {
    if (!(await this.#store.revokeKey(id, new Date().toISOString()))) {
      throw new AccountRefusal(
        `there is no live key ${quoted(id)}: "opzoek key list --account ID" shows the keys`,
      );
    }
  }

  #checkTier(tierName: string): void {
    if (Object.hasOwn(this.#tiers, tierName)) return;
    throw new AccountRefusal(
      `there is no tier ${quoted(tierName)}; the tiers are ${Object.keys(this.#tiers).join(", ")}`,
    );
  }
}

function noAccount(id: string): AccountRefusal {
  return new AccountRefusal(`there is no account ${quoted(id)}: "opzoek account list" shows the accounts`);
}
