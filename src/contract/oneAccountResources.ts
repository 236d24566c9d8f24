/** One account, links for people and the audit log, for operators, by `/account/admin/…`. */
import { type Static, Type } from "typebox";
import { byOperation, paged, planRequest, shownAccount } from "./accountFields.ts";
import { UsageMonthsSchema } from "./accountResources.ts";
import { AUDIT_KINDS } from "./auditKinds.ts";
import { count, flag, moment, object, rows, text } from "./fields.ts";
import { twoFactorFields } from "./twoFactorResources.ts";

export const AdminAccountSchema = object("One account.", {
  ...shownAccount,
  hasPassword: flag("Whether a password is set, so that its owner can sign in."),
  asked: planRequest,
  twoFactor: object("Its two-factor sign-in.", twoFactorFields),
  sessions: object("Its open sessions.", {
    count: count("The number of open sessions."),
    lastSeenAt: Type.Optional(moment("When one of them was last used, to the minute.")),
  }),
  note: object("A note by operators, for operators only.", {
    text: text("Plain text; empty when there is no note."),
    version: count("The number of changes; 0 when there was never a note."),
    changedAt: Type.Optional(moment("When it was last changed.")),
    changedBy: Type.Optional(text("The operator's address, or the id if that account was deleted.")),
  }),
});
export type AdminAccount = Static<typeof AdminAccountSchema>;

export const AdminUsageSchema = object("Usage of an account by month, and of one month by operation.", {
  months: UsageMonthsSchema.properties.months,
  month: text("The month of `byOperation`, YYYY-MM, UTC."),
  byOperation: byOperation("Usage in that month, highest spending first."),
  testByOperation: Type.Optional(
    byOperation("The same for test keys, which are free and counted in no other figure. Absent when unused."),
  ),
});
export type AdminUsage = Static<typeof AdminUsageSchema>;

export const AdminLinkSchema = object("A link that works once.", {
  link: text("Shown only once and stored as a hash. Without `PUBLIC_URL`, a path on this service."),
  expiresAt: moment("When it expires."),
});
export type AdminLink = Static<typeof AdminLinkSchema>;

export const AdminAuditSchema = object("Actions of operators, on the page and by commands.", {
  entries: rows("The newest first. Only ids are stored; addresses are the current ones.", {
    id: text("The id of the entry."),
    at: moment("When."),
    by: text("The operator's account, or `terminal`."),
    byEmail: Type.Optional(text("Its address, while the account exists.")),
    what: text(`The action: ${AUDIT_KINDS.join(", ")}; newer versions may add others.`),
    accountId: Type.Optional(text("The affected account.")),
    email: Type.Optional(text("Its address, while the account exists.")),
    keyId: Type.Optional(text("The affected key.")),
    from: Type.Optional(text("The value before.")),
    to: Type.Optional(text("The value after.")),
  }),
  ...paged("Entries"),
  maxListed: count("The maximum value of `total`; there may be more entries."),
});
export type AdminAudit = Static<typeof AdminAuditSchema>;
