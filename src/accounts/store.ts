import type { KeyKind } from "../contract/keyKinds.ts";

/** An account. Its allowance and its tier belong to all its keys together. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly tierName: string;
  readonly isSuspended: boolean;
  /** ISO 8601 UTC */
  readonly createdAt: string;
  /** Since when it is suspended, if it is and that was noted. */
  readonly suspendedAt?: string;
}

/** An account on its way into the store. */
export interface NewAccount extends Account {
  /** Keyed hash of the address: what an earlier account of it used counts for this one, and its suspension goes on. */
  readonly emailHash?: string;
}

/** A key as it may be shown: never the key itself. */
export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `opz_live_`, `opz_test_` or `opz_pub_` */
  readonly prefix: string;
  /** What it is for; `live` of a key that was made before kinds meant anything, whatever it begins with. */
  readonly kind: KeyKind;
  readonly lastFour: string;
  readonly createdAt: string;
  /** When a key that was rolled ends. */
  readonly endsAt?: string;
  readonly revokedAt?: string;
  /** From then on it is refused, until this is moved. */
  readonly expiresAt?: string;
  /** The addresses and networks (CIDR) that it may be used from; any when absent. */
  readonly addresses?: readonly string[];
  /** Of a key for browsers. */
  readonly browser?: BrowserBounds;
  /** A page that called with it, where it is no key for browsers: anybody can copy it there. */
  readonly browserCall?: { readonly origin: string; readonly at: string };
  /** The clock minute of the last call that the rate limit looked at; absent when it was never used. */
  readonly lastUsedAt?: string;
}

/** What a key for browsers may do. */
export interface BrowserBounds {
  /** The origins of pages that it may be used from, as `lib/origins.ts` compares them. */
  readonly origins: readonly string[];
  /** Basic lookups, beside autocomplete. */
  readonly mayLookUp: boolean;
  /** Tokens that it may spend on a day (UTC). */
  readonly dailyTokens: number;
}

/** What may be changed of a key; what is absent stays. */
export interface KeyChange {
  readonly name?: string;
  /** ISO 8601 UTC; null for none. */
  readonly expiresAt?: string | null;
  /** As {@link Key.addresses}; none of them for any address. */
  readonly addresses?: readonly string[];
  /** Of a key for browsers only: another one is not changed. */
  readonly browser?: Partial<BrowserBounds>;
}

/** A key on its way into the store. */
export interface NewKey extends Key {
  /** SHA-256 of the key, hexadecimal: all that is ever stored of it. */
  readonly hash: string;
}

/** How many accounts have a tier. */
export interface TierCount {
  readonly tierName: string;
  readonly accounts: number;
}

/** How many keys an address may make a day, over all its accounts. */
export interface DailyKeys {
  /** Keyed hash of the address. */
  readonly subject: string;
  /** YYYY-MM-DD, UTC */
  readonly day: string;
  readonly most: number;
}

/** Whether a key was added, or which limit forbids it. */
export type AddedKey = "added" | "too-many" | "too-many-today";

/** Accounts and their keys, as an operator makes and changes them. */
export interface AccountStore {
  /** False when the e-mail address is taken. */
  add(account: NewAccount): Promise<boolean>;
  find(id: string): Promise<Account | undefined>;
  all(): Promise<readonly Account[]>;
  /** Each tier that an account has, in the order of its characters. Reads every account. */
  byTier(): Promise<readonly TierCount[]>;
  /** Ends a request for a plan, too. False when there is no such account. */
  setTier(id: string, tierName: string): Promise<boolean>;
  /** `at`, ISO 8601 UTC, is kept when this begins a suspension. */
  setSuspended(id: string, isSuspended: boolean, at: string): Promise<boolean>;
  /** `no-account`, or `too-many` when the account has `mostLiveKeys` live keys already. Without `daily` it counts for no day. */
  addKey(key: NewKey, mostLiveKeys: number, daily?: DailyKeys): Promise<AddedKey | "no-account">;
  /** False when there is no such live key. */
  revokeKey(id: string, revokedAt: string): Promise<boolean>;
  /** False when there is no such key that is not revoked, or another account's than the one that is named. */
  changeKey(id: string, change: KeyChange, accountId?: string): Promise<boolean>;
}
