/** The stored two-factor sign-in of an account. */
export interface StoredTwoFactor {
  /** The encrypted secret; see `sealing.ts`. */
  readonly sealed: string;
  /** When the secret was created, Unix milliseconds. */
  readonly begunAtMs: number;
  /** ISO 8601 UTC; absent until a first code has confirmed the device. */
  readonly onSince?: string;
  /** The time step of the last used code. */
  readonly lastStep: number;
  /** Unused recovery codes. */
  readonly codesLeft: number;
}

/** A valid code to use up: a device's, by its secret and time step, or a recovery code, by its hash. */
export type UsableCode =
  | { readonly kind: "device"; readonly sealed: string; readonly step: number }
  | { readonly kind: "recovery"; readonly hash: string };

/** The second factor of a new session. `signed in`: it replaces a session that has already passed. */
export type SecondFactor = UsableCode | { readonly kind: "signed in" };

/** The state store of two-factor sign-in. Of parallel uses of one code, one succeeds. Methods return false for an unknown account. */
export interface TwoFactorStore {
  twoFactor(accountId: string): Promise<StoredTwoFactor | undefined>;
  /** Stores an unconfirmed secret, replacing an earlier one. @returns false if two-factor sign-in is on */
  beginTwoFactor(accountId: string, sealed: string, nowMs: number): Promise<boolean>;
  /** Turns it on with a first code and ends all other sessions. @returns false if it is on, or the secret has changed */
  turnOnTwoFactor(accountId: string, first: TwoFactorActivation): Promise<boolean>;
  /** Replaces the recovery codes, using a code up. @returns false if the code is invalid or used */
  renewRecoveryCodes(accountId: string, code: UsableCode, hashes: readonly string[]): Promise<boolean>;
  /** Turns it off, using a code up. @returns false if the code is invalid or used */
  turnOffTwoFactor(accountId: string, code: UsableCode): Promise<boolean>;
  /** All encrypted secrets, some 200 bytes each, without those under the key of this name. */
  secretsOfOtherKeys(keyName: string): Promise<readonly { accountId: string; sealed: string }[]>;
  /** Replaces an encrypted secret by the same one under another key. @returns false if it has changed */
  resealTwoFactor(accountId: string, before: string, sealed: string): Promise<boolean>;
  /** Turns it off without a code, for operators. @returns false if it is not on */
  removeTwoFactor(accountId: string): Promise<boolean>;
}

export interface TwoFactorActivation {
  readonly sealed: string;
  readonly step: number;
  /** ISO 8601 UTC */
  readonly at: string;
  readonly recoveryHashes: readonly string[];
  /** The session that stays open. */
  readonly sessionId: string;
}
