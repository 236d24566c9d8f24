/** Changes to accounts by operators, as named in the log and the audit log. */
export const AUDIT_KINDS = [
  "created",
  "tier",
  "plan request",
  "suspended",
  "kept suspension",
  "operator",
  "deleted",
  "invite",
  "password link",
  "two-factor",
  "email",
  "note",
  "sessions ended",
  "key made",
  "key changed",
  "key revoked",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** The author of a change by a command; on the page it is the operator's own account. */
export const TERMINAL = "terminal";
