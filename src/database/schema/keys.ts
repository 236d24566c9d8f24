import type { Tables } from "./tables.ts";

type Keys = { readonly [Name in keyof Tables]: readonly (keyof Tables[Name] & string)[] };

/** The columns of each table's primary key. A table comes after those that it refers to. */
export const PRIMARY_KEYS: Keys = {
  accounts: ["id"],
  keys: ["id"],
  owners: ["id"],
  account_months: ["account_id", "is_test", "month"],
  reservations: ["id"],
  typing_sessions: ["key_id", "session"],
  ledger: ["account_id", "is_test", "day", "key_id", "operation"],
  failed_calls: ["account_id", "day", "key_id", "operation"],
  verdicts: ["vat_number"],
  consultations: ["account_id", "vat_number", "requester"],
  live_companies: ["kvk_number"],
  live_searches: ["criteria"],
  live_days: ["day"],
  live_places: ["subject", "day", "holder"],
  forgotten: ["kvk_number"],
  people: ["account_id"],
  sessions: ["id"],
  known_addresses: ["account_id", "address_hash"],
  one_time_tokens: ["hash"],
  attempts: ["subject"],
  waiting_mails: ["id"],
  allowance_notices: ["account_id", "month", "tokens", "percent"],
  plan_requests: ["account_id"],
  departed_months: ["email_hash", "month"],
  suspended_addresses: ["email_hash"],
  key_days: ["subject", "day"],
  vies_history: ["slot_at_ms", "state"],
  calls: ["account_id", "at_ms", "request_id"],
  stored_responses: ["account_id", "id"],
  stored_response_totals: ["account_id", "ends_at_ms"],
  secrets: ["name"],
  two_factors: ["account_id"],
  audit_log: ["id"],
  recovery_codes: ["account_id", "hash"],
  operator_notes: ["account_id"],
  jobs: ["id"],
  job_blocks: ["job_id", "block"],
  job_results: ["job_id", "step"],
  webhook_secrets: ["account_id", "seed"],
  webhook_messages: ["id"],
  clock_watch: ["id"],
  probe: ["id"],
  applied_batches: ["id"],
  list_totals: ["name"],
  monitors: ["id"],
  monitor_accounts: ["account_id", "is_test"],
  shown_companies: ["account_id", "month", "kvk_number"],
  monitor_baselines: ["kvk_number", "origin"],
  change_places: ["id"],
  pending_changes: ["id"],
  events: ["account_id", "is_test", "sequence"],
  webhook_endpoints: ["account_id", "url"],
  insolvencies: ["kvk_number"],
  turns: ["name"],
  kvk_signals: ["id"],
  nodes: ["id"],
};

/** Tables of a single store: writes of its health check, outcomes of its commits, totals that it counts itself, its nodes and its clock. */
const NOT_MOVED: readonly (keyof Tables)[] = [
  "probe",
  "applied_batches",
  "list_totals",
  "nodes",
  "clock_watch",
];

/** The tables of a state, in the order in which they can be filled. */
export const TRANSFERRED_TABLES = (Object.keys(PRIMARY_KEYS) as readonly (keyof Tables)[]).filter(
  (table) => !NOT_MOVED.includes(table),
);
