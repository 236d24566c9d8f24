/** Two-factor sign-in of an account, as it is stored. */
export interface StoredTwoFactor {
  /** The secret of its codes, see `sealing.ts`. */
  readonly sealed: string;
  /** When the secret was made, Unix milliseconds. */
  readonly begunAtMs: number;
  /** ISO 8601 UTC; absent until a first code has shown that the person's device has the secret. */
  readonly onSince?: string;
  /** The step of time of the last code that was used. */
  readonly lastStep: number;
  /** Recovery codes that were not used. */
  readonly codesLeft: number;
}

/**
 * A code that fits, to be used up: one of the device, by the secret that it was made with and its step of time, or a recovery code by
 * its hash.
 */
export type UsableCode =
  | { readonly kind: "device"; readonly sealed: string; readonly step: number }
  | { readonly kind: "recovery"; readonly hash: string };

/** What a session is opened with beside the password. `signed in`: the session that it takes the place of had passed already. */
export type SecondFactor = UsableCode | { readonly kind: "signed in" };

/** Of any number who come with one code, one gets what it is for. All is false where there is no such account. */
export interface TwoFactorStore {
  twoFactor(accountId: string): Promise<StoredTwoFactor | undefined>;
  /** Keeps a secret that counts for nothing yet, in the place of an earlier one like it. False when two-factor sign-in is on. */
  beginTwoFactor(accountId: string, sealed: string, nowMs: number): Promise<boolean>;
  /** Turns it on with a first code of the secret that was begun, and ends all other sessions. False when it is on, or the secret another. */
  turnOnTwoFactor(accountId: string, first: TurningOn): Promise<boolean>;
  /** New recovery codes in the place of all others, for a code. False when that is none, or was used. */
  renewRecoveryCodes(accountId: string, code: UsableCode, hashes: readonly string[]): Promise<boolean>;
  /** Turns it off for a code. False when that is none, or was used. */
  turnOffTwoFactor(accountId: string, code: UsableCode): Promise<boolean>;
  /** The same without a code, as an operator does. False when it is not on. */
  removeTwoFactor(accountId: string): Promise<boolean>;
}

export interface TurningOn {
  readonly sealed: string;
  readonly step: number;
  /** ISO 8601 UTC */
  readonly at: string;
  readonly recoveryHashes: readonly string[];
  /** The session that goes on. */
  readonly sessionId: string;
}
