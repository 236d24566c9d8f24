/**
 * What an operator changed of an account: ids only, never an address, a key or a link. `from` and `to` are absent where there is
 * nothing to tell.
 */
export interface AccountChange {
  /** The operator's own account, or {@link TERMINAL}. */
  readonly by: string;
  /** Absent where there is no account: before somebody who was invited signs up, after it was deleted, of a key that was revoked. */
  readonly accountId?: string;
  readonly keyId?: string;
  readonly what:
    | "created"
    | "tier"
    | "plan request"
    | "suspended"
    | "kept suspension"
    | "operator"
    | "deleted"
    | "invite"
    | "password link"
    | "two-factor"
    | "email"
    | "key made"
    | "key changed"
    | "key revoked";
  readonly from?: string | boolean;
  readonly to?: string | boolean;
}

/** Who changes something by a command. */
export const TERMINAL = "terminal";

/** What a log says of each change. */
export const CHANGED = "an account was changed";
