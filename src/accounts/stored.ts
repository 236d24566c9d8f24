import type { KeyKind } from "../contract/keyKinds.ts";

/** An account. All its keys share its tier and allowance. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly tierName: string;
  readonly isSuspended: boolean;
  /** ISO 8601 UTC */
  readonly createdAt: string;
  /** Start of the suspension, ISO 8601 UTC; absent when not suspended, or unknown. */
  readonly suspendedAt?: string;
}

/** An account that is not stored yet. */
export interface NewAccount extends Account {
  /** Keyed hash of the address: usage and suspension of an earlier account with the address carry over. */
  readonly emailHash?: string;
}

/** A key without its secret. */
export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `opz_live_`, `opz_test_` or `opz_pub_` */
  readonly prefix: string;
  /** Decides what the key may do; the prefix does not. */
  readonly kind: KeyKind;
  readonly lastFour: string;
  readonly createdAt: string;
  /** End of a replaced key. */
  readonly endsAt?: string;
  readonly revokedAt?: string;
  /** The key is refused from this time. It can be changed. */
  readonly expiresAt?: string;
  /** Allowed client addresses and networks (CIDR); any if absent. */
  readonly addresses?: readonly string[];
  /** Set for a browser key. */
  readonly browser?: BrowserBounds;
  /** A page that used this key although it is not a browser key. */
  readonly browserCall?: { readonly origin: string; readonly at: string };
  /** The minute of the last call that the rate limit counted; absent if never used. */
  readonly lastUsedAt?: string;
}

/** The restrictions of a browser key. */
export interface BrowserBounds {
  /** Allowed origins of pages, in the form that `lib/origins.ts` compares. */
  readonly origins: readonly string[];
  /** Allows basic lookups in addition to autocomplete. */
  readonly mayLookUp: boolean;
  /** Tokens that it may spend per day (UTC). */
  readonly dailyTokens: number;
}

/** A change of a key. Absent fields do not change. */
export interface KeyChange {
  readonly name?: string;
  /** ISO 8601 UTC; null for none. */
  readonly expiresAt?: string | null;
  /** As {@link Key.addresses}; an empty list allows any address. */
  readonly addresses?: readonly string[];
  /** For browser keys only; other keys are not changed. */
  readonly browser?: Partial<BrowserBounds>;
}

/** A key that is not stored yet. */
export interface NewKey extends Key {
  /** SHA-256 of the key, hexadecimal. The key itself is never stored. */
  readonly hash: string;
}

/** The daily limit of new keys of an address, over all its accounts. */
export interface DailyKeys {
  /** Keyed hash of the address. */
  readonly subject: string;
  /** YYYY-MM-DD, UTC */
  readonly day: string;
  readonly limit: number;
}

/** Whether a key was added, or the limit that was reached. */
export type AddedKey = "added" | "too-many" | "too-many-today";
