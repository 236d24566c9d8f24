import type { Generated } from "kysely";
import type { Language } from "../../contract/accountResources.ts";
import type { AllowancePercent } from "../../contract/accountRules.ts";

/** The tables of people: sign-in, rights, and data about deleted accounts. */
export interface PeopleTables {
  /** The sign-in data of an account's person; accounts without any have no row. */
  people: {
    account_id: string;
    password_hash: string | null;
    admin: number;
    language: Language;
    first_key_at: string | null;
    /** 0 if it opted out of mail about its allowance. */
    allowance_mails: Generated<number>;
  };
  sessions: {
    id: string;
    account_id: string;
    token_hash: string;
    created_at_ms: number;
    last_seen_at_ms: number;
    ends_at_ms: number;
    client: string | null;
  };
  /** Network addresses that an account has signed in from, as keyed hashes. */
  known_addresses: {
    account_id: string;
    address_hash: string;
    seen_at_ms: number;
  };
  one_time_tokens: {
    hash: string;
    purpose: TokenPurpose;
    expires_at_ms: number;
    account_id: string | null;
    email: string | null;
    tier: string | null;
    password_hash: string | null;
    invite_hash: string | null;
    language: Language | null;
  };
  attempts: {
    subject: string;
    tries: number;
    ends_at_ms: number;
  };
  /** A mail waiting to be sent, never with its link. */
  waiting_mails: {
    id: string;
    kind: MailKind;
    /** Keyed hash of the recipient's address. */
    email_hash: string;
    account_id: string | null;
    /** confirm: the data of the new account */
    email: string | null;
    tier: string | null;
    password_hash: string | null;
    invite_hash: string | null;
    language: Language;
    asked_at_ms: number;
    /** When its link would have expired. */
    drop_at_ms: number;
    /** When it may be claimed next. */
    due_at_ms: number;
    failures: number;
    /** All claims, and claims since an outcome was last reported. */
    claims: number;
    open_claims: number;
    /** Hash of the secret in the latest link. */
    token_hash: string | null;
    /** For mail about an allowance: the month, counted since year 0, and the tokens. */
    month: number | null;
    tokens: number | null;
  };
  /** Notices sent when a percentage of a month's allowance was used. */
  allowance_notices: {
    account_id: string;
    month: number;
    tokens: number;
    percent: number;
  };
  plan_requests: {
    account_id: string;
    tier: string;
    asked_at: string;
  };
  /** The usage of deleted accounts, by the keyed hash of their address and by month. */
  departed_months: {
    email_hash: string;
    month: number;
    used: number;
  };
  /** Accounts that were deleted while suspended, by the keyed hash of their address. */
  suspended_addresses: {
    email_hash: string;
    suspended_at: string | null;
    expires_at_ms: number;
  };
  /** The keys created per address and day (UTC), by its keyed hash: a new account with the address continues the count. */
  key_days: {
    subject: string;
    day: string;
    made: number;
  };
  secrets: {
    name: string;
    value: string;
  };
  /** The second factor at sign-in. */
  two_factors: {
    account_id: string;
    /** The secret, encrypted with a key that is not in the state; see `accounts/sealing.ts`. */
    sealed: string;
    begun_at_ms: number;
    /** Null until a first code shows that the person's device has the secret. */
    on_since: string | null;
    /** The step of the last used code, counted as in RFC 6238. */
    last_step: number;
  };
  /** Changes by operators. `subject` is the affected account, which may have been deleted. */
  audit_log: {
    id: string;
    at_ms: number;
    changed_by: string;
    what: string;
    subject: string | null;
    key_id: string | null;
    before: string | null;
    after: string | null;
  };
  recovery_codes: {
    account_id: string;
    hash: string;
  };
  operator_notes: {
    account_id: string;
    text: string;
    /** Counts its changes, so that a person cannot overwrite a change they have not seen. */
    version: number;
    changed_at_ms: number;
    /** The operator's own account. */
    changed_by: string;
  };
}

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
