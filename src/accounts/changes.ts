/**
 * What an operator changed of an account: ids only, never an address or a secret. `from` and `to` are absent where there is nothing
 * to tell.
 */
export interface AccountChange {
  /** The operator's own account, or {@link TERMINAL}. */
  readonly by: string;
  readonly accountId: string;
  readonly what: "tier" | "plan request" | "suspended" | "operator" | "deleted";
  readonly from?: string | boolean;
  readonly to?: string | boolean;
}

/** Who changes something by a command. */
export const TERMINAL = "terminal";

/** What a log says of each change. */
export const CHANGED = "an account was changed";
