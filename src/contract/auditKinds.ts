/** What operators change of accounts, as the log and the audit log call it. */
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

/** Who changes something by a command; on the page it is the operator's own account. */
export const TERMINAL = "terminal";
