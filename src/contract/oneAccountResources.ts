/** What an operator sees of one account, makes for people, and did, by `/account/admin/…`. */
import { type Static, Type } from "typebox";
import {
  closed,
  count,
  figures,
  flag,
  moment,
  operation,
  paged,
  shownAccount,
  text,
} from "./accountFields.ts";
import { UsageMonthsSchema } from "./accountResources.ts";
import { AUDIT_KINDS } from "./auditKinds.ts";

export const AdminAccountSchema = Type.Object(
  {
    ...shownAccount,
    isSuspended: flag("Whether its calls are answered FORBIDDEN."),
    suspendedAt: Type.Optional(moment("Since when; absent when it is not, or when that was not noted.")),
    isAdmin: flag("Whether it sees these views."),
    createdAt: moment("When it was made."),
    hasPassword: flag("Whether a password was set, so that somebody can sign in."),
    used: count("Tokens spent this month."),
    limit: count("The month's allowance in tokens; 0 when its plan is no longer in the table.", 50),
    asked: Type.Optional(
      Type.Object(
        { tier: text("The plan.", "pro"), askedAt: moment("When.") },
        { ...closed, description: "The plan that it asks for." },
      ),
    ),
    twoFactor: Type.Object(
      {
        isOn: flag("Whether signing in needs a code beside the password."),
        since: Type.Optional(moment("Since when.")),
        recoveryCodesLeft: Type.Optional(count("Recovery codes that were not used.", 10)),
      },
      { ...closed, description: "Its two-factor sign-in." },
    ),
    sessions: Type.Object(
      {
        count: count("Where it is signed in.", 2),
        lastSeenAt: Type.Optional(moment("When one of them was used last, to the minute.")),
      },
      { ...closed, description: "Its open sessions." },
    ),
    note: Type.Object(
      {
        text: text("Plain text; empty where nothing is noted.", "Pays by invoice."),
        version: count("Counts its changes; 0 where nothing was ever noted.", 1),
        changedAt: Type.Optional(moment("When it was changed last.")),
        changedBy: Type.Optional(
          text("The operator's address, or id where the account is gone.", "ops@company.example"),
        ),
      },
      { ...closed, description: "What operators noted, for operators alone." },
    ),
  },
  { ...closed, description: "One account." },
);
export type AdminAccount = Static<typeof AdminAccountSchema>;

export const AdminUsageSchema = Type.Object(
  {
    months: UsageMonthsSchema.properties.months,
    month: text("The month of `byOperation`, YYYY-MM, UTC.", "2026-11"),
    byOperation: Type.Array(Type.Object({ operation, ...figures }, closed), {
      description: "What was called in that month, what spent most first.",
    }),
    testByOperation: Type.Optional(
      Type.Array(Type.Object({ operation, ...figures }, closed), {
        description:
          "The same of test keys, counted apart: in none of the other figures, and free. Absent where they did nothing.",
      }),
    ),
  },
  { ...closed, description: "What an account used, by month, and of one month by operation." },
);
export type AdminUsage = Static<typeof AdminUsageSchema>;

export const AdminLinkSchema = Type.Object(
  {
    link: text(
      "Shown this once and stored as a hash only. Without `PUBLIC_URL` what stands after the address of the service.",
      "https://registry.company.example/#invite=…",
    ),
    expiresAt: moment("Until then it works, once."),
  },
  { ...closed, description: "A link that works once." },
);
export type AdminLink = Static<typeof AdminLinkSchema>;

export const AdminAuditSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          id: text("Names the entry.", "0b7f6a52-…"),
          at: moment("When."),
          by: text("The operator's account, or `terminal`.", "acc_0123456789abcdef"),
          byEmail: Type.Optional(text("Its address, while it is there.", "ops@company.example")),
          what: text(`What was done: ${AUDIT_KINDS.join(", ")}; another one by a newer version.`, "tier"),
          accountId: Type.Optional(text("The account that it is about.", "acc_0123456789abcdef")),
          email: Type.Optional(text("Its address, while it is there.", "dev@company.example")),
          keyId: Type.Optional(text("The key that it is about.", "key_0123456789abcdef")),
          from: Type.Optional(text("What it was.", "free")),
          to: Type.Optional(text("What it became.", "pro")),
        },
        closed,
      ),
      { description: "The newest first. Ids are kept alone; addresses are those of now." },
    ),
    ...paged("Entries"),
    mostListed: count("`total` is this at most: there may be more.", 10_000),
  },
  { ...closed, description: "What operators did, on the page and by commands." },
);
export type AdminAudit = Static<typeof AdminAuditSchema>;
