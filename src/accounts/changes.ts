import { randomUUID } from "node:crypto";
import type { AuditKind } from "../contract/auditKinds.ts";

/**
 * What an operator changed of an account: ids only, never an address, a key or a link. `from` and `to` are absent where there is
 * nothing to tell.
 */
export interface AccountChange {
  /** The operator's own account, or `terminal`. */
  readonly by: string;
  /** Absent where there is no account: before somebody who was invited signs up, after it was deleted, of a key that was revoked. */
  readonly accountId?: string;
  readonly keyId?: string;
  readonly what: AuditKind;
  readonly from?: string | boolean;
  readonly to?: string | boolean;
}

/** What a log says of each change. */
export const CHANGED = "an account was changed";

/** A change as the audit log keeps it, for good; `from` and `to` as text. */
export interface AuditEntry extends Pick<AccountChange, "by" | "accountId" | "keyId"> {
  readonly id: string;
  /** Unix milliseconds */
  readonly atMs: number;
  readonly what: string;
  readonly from?: string;
  readonly to?: string;
}

/** So many entries can be leafed through; with a filter the others too. */
export const MAX_AUDITED = 10_000;

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
  /** On all pages, {@link MAX_AUDITED} at most. */
  readonly total: number;
}

export interface AuditStore {
  addAudit(entry: AuditEntry): Promise<void>;
  /** @param part which entries; of any account and kind where none is named */
  audit(
    part: Partial<Pick<AuditEntry, "accountId" | "what">> & {
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<AuditPage>;
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
