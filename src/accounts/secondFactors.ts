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

export interface TwoFactorActivation {
  readonly sealed: string;
  readonly step: number;
  /** ISO 8601 UTC */
  readonly at: string;
  readonly recoveryHashes: readonly string[];
  /** The session that remains open. */
  readonly sessionId: string;
}
