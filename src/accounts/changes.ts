import { randomUUID } from "node:crypto";

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

/** A change as the audit log keeps it, for good; `from` and `to` as text. */
export interface AuditEntry {
  readonly id: string;
  /** Unix milliseconds */
  readonly atMs: number;
  readonly by: string;
  readonly what: string;
  readonly accountId?: string;
  readonly keyId?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface AuditStore {
  addAudit(entry: AuditEntry): Promise<void>;
  /** The newest first; of one account when it is named. */
  audit(part: {
    readonly offset: number;
    readonly limit: number;
    readonly accountId?: string;
  }): Promise<readonly AuditEntry[]>;
}

/** @param nowMs Unix milliseconds */
export function auditEntry({ from, to, ...change }: AccountChange, nowMs: number): AuditEntry {
  return {
    id: randomUUID(),
    atMs: nowMs,
    ...change,
    ...(from !== undefined && { from: String(from) }),
    ...(to !== undefined && { to: String(to) }),
  };
}
