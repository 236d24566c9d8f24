import type { Generated } from "kysely";
import type { Language } from "../../contract/accountResources.ts";
import type { AllowancePercent } from "../../contract/accountRules.ts";
import { accountTable, bigint, flag, integer, named, table, text } from "./table.ts";

/** The tables of people: sign-in, rights, and data about deleted accounts. */
export const PEOPLE_TABLES = {
  /** The sign-in data of an account's person; accounts without any have no row. */
  people: accountTable("at once", ["account_id"], {
    account_id: text(),
    password_hash: text<string | null>(),
    admin: named("isAdmin", flag()),
    language: text<Language>(),
    first_key_at: text<string | null>(),
    /** 0 if it opted out of mail about its allowance. */
    allowance_mails: named("wantsAllowanceMails", flag<Generated<number>>()),
  }),
  sessions: accountTable("at once", ["id"], {
    id: text(),
    account_id: text(),
    token_hash: text(),
    created_at_ms: bigint(),
    last_seen_at_ms: bigint(),
    ends_at_ms: bigint(),
    client: text<string | null>(),
  }),
  /** Network addresses that an account has signed in from, as keyed hashes. */
  known_addresses: accountTable("in steps", ["account_id", "address_hash"], {
    account_id: text(),
    address_hash: text(),
    seen_at_ms: bigint(),
  }),
  one_time_tokens: accountTable("at once", ["hash"], {
    hash: text(),
    purpose: text<TokenPurpose>(),
    expires_at_ms: bigint(),
    account_id: text<string | null>(),
    email: text<string | null>(),
    tier: named("tierName", text<string | null>()),
    password_hash: text<string | null>(),
    invite_hash: text<string | null>(),
    language: text<Language | null>(),
  }),
  attempts: table(["subject"], {
    subject: text(),
    tries: bigint(),
    ends_at_ms: bigint(),
  }),
  /** A mail waiting to be sent, never with its link. */
  waiting_mails: accountTable("at once", ["id"], {
    id: text(),
    kind: text<MailKind>(),
    /** Keyed hash of the recipient's address. */
    email_hash: text(),
    account_id: text<string | null>(),
    /** confirm: the data of the new account */
    email: text<string | null>(),
    tier: named("tierName", text<string | null>()),
    password_hash: text<string | null>(),
    invite_hash: text<string | null>(),
    language: text<Language>(),
    asked_at_ms: bigint(),
    /** When its link would have expired. */
    drop_at_ms: bigint(),
    /** When it may be claimed next. */
    due_at_ms: bigint(),
    failures: integer(),
    /** All claims, and claims since an outcome was last reported. */
    claims: integer(),
    open_claims: integer(),
    /** Hash of the secret in the latest link. */
    token_hash: text<string | null>(),
    /** For mail about an allowance: the month, counted since year 0, and the tokens. */
    month: integer<number | null>(),
    tokens: bigint<number | null>(),
  }),
  /** Notices sent when a percentage of a month's allowance was used. */
  allowance_notices: accountTable("in steps", ["account_id", "month", "tokens", "percent"], {
    account_id: text(),
    month: integer(),
    tokens: bigint(),
    percent: integer(),
  }),
  plan_requests: accountTable("at once", ["account_id"], {
    account_id: text(),
    tier: text(),
    asked_at: text(),
  }),
  /** The usage of deleted accounts, by the keyed hash of their address and by month. */
  departed_months: table(["email_hash", "month"], {
    email_hash: text(),
    month: integer(),
    used: bigint(),
  }),
  /** Accounts that were deleted while suspended, by the keyed hash of their address. */
  suspended_addresses: table(["email_hash"], {
    email_hash: text(),
    suspended_at: text<string | null>(),
    expires_at_ms: bigint(),
  }),
  /**
   * The keys created per address and day (UTC), by its keyed hash: a new account with the address continues the count.
   */
  key_days: table(["subject", "day"], {
    subject: text(),
    day: text(),
    made: bigint(),
  }),
  secrets: table(["name"], {
    name: text(),
    value: text(),
  }),
  /** The second factor at sign-in. */
  two_factors: accountTable("at once", ["account_id"], {
    account_id: text(),
    /** The secret, encrypted with a key that is not in the state; see `accounts/sealing.ts`. */
    sealed: text(),
    begun_at_ms: bigint(),
    /** Null until a first code shows that the person's device has the secret. */
    on_since: text<string | null>(),
    /** The step of the last used code, counted as in RFC 6238. */
    last_step: bigint(),
  }),
  /** Changes by operators. `subject` is the affected account, which may have been deleted. */
  audit_log: table(["id"], {
    id: text(),
    at_ms: bigint(),
    changed_by: named("by", text()),
    what: text(),
    subject: named("accountId", text<string | null>()),
    key_id: text<string | null>(),
    before: named("from", text<string | null>()),
    after: named("to", text<string | null>()),
  }),
  recovery_codes: accountTable("at once", ["account_id", "hash"], {
    account_id: text(),
    hash: text(),
  }),
  operator_notes: accountTable("at once", ["account_id"], {
    account_id: text(),
    text: text(),
    /** Counts its changes, so that a person cannot overwrite a change they have not seen. */
    version: bigint(),
    changed_at_ms: bigint(),
    /** The operator's own account. */
    changed_by: text(),
  }),
} as const;

export type TokenPurpose = "invite" | "confirm" | "reset" | "email";

export type PlainMailKind = "taken" | "changed" | "email-taken" | "two-factor-on" | "two-factor-off";

export type MonitorMailKind = "webhook-disabled" | "changes-wait";

export type DigestMailKind = "monitor-digest";

export type AllowanceMailKind = `allowance-${AllowancePercent}`;

export type MailKind =
  | "confirm"
  | "reset"
  | "email"
  | "email-changed"
  | PlainMailKind
  | MonitorMailKind
  | DigestMailKind
  | AllowanceMailKind;
