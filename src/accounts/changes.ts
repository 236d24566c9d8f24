import { randomUUID } from "node:crypto";
import type { AuditKind } from "../contract/auditKinds.ts";

/** A change by an operator to an account. Contains only ids, never an address, a key or a link. */
export interface AccountChange {
  /** The operator's own account, or `terminal`. */
  readonly by: string;
  /** Absent if there is no account: for invites, stored suspensions and revoked keys. */
  readonly accountId?: string;
  readonly keyId?: string;
  readonly what: AuditKind;
  readonly from?: string | boolean;
  readonly to?: string | boolean;
}

/** The log message of a change. */
export const CHANGED = "an account was changed";

/** An entry of the audit log, which is kept forever. */
export interface AuditEntry extends Pick<AccountChange, "by" | "accountId" | "keyId"> {
  readonly id: string;
  /** Unix milliseconds */
  readonly atMs: number;
  readonly what: string;
  readonly from?: string;
  readonly to?: string;
}

/** The maximum number of entries on all pages; filters find older entries. */
export const MAX_AUDITED = 10_000;

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Entries on all pages, at most {@link MAX_AUDITED}. */
  readonly total: number;
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
