import { type Kysely, PostgresAdapter, sql } from "kysely";

// One schema for both databases. Flags are 0 or 1. Times are ISO 8601 UTC or, if the name ends in `_ms`, Unix
// milliseconds. `../schema/` describes the columns.

/** Accounts, keys with their rate windows, allowances by month, reservations, the ledger and stored responses. */
const METERING = `
  create table accounts (
    id text primary key, email text not null unique, tier text not null, suspended integer not null,
    created_at text not null, suspended_at text
  );
  create index accounts_by_tier on accounts (tier);
  create table keys (
    id text primary key, account_id text not null references accounts (id), name text not null,
    hash text not null unique, prefix text not null, last_four text not null, created_at text not null,
    revoked_at text, minute bigint not null default 0, calls_in_minute bigint not null default 0,
    ends_at text, expires_at_ms bigint, networks text, kind text not null default 'live', origins text,
    may_look_up integer not null default 0, daily_tokens bigint, spending_day bigint not null default 0,
    spent_in_day bigint not null default 0, browser_origin text, browser_at_ms bigint
  );
  create index keys_by_end on keys (ends_at) where ends_at is not null and revoked_at is null;
  create index keys_by_account_end on keys (account_id, revoked_at, id);
  create table owners (
    id text primary key, present_id text references accounts (id) on delete set null
  );
  create index owners_by_presence on owners (present_id);
  create table account_months (
    account_id text not null references accounts (id), month integer not null, used bigint not null,
    is_test integer not null, primary key (account_id, is_test, month)
  );
  create index account_months_by_month on account_months (month, is_test, account_id);
  create table reservations (
    id text primary key, account_id text not null references accounts (id), key_id text not null,
    operation text not null, month integer not null, tokens bigint not null, expires_at_ms bigint not null,
    given_back integer not null, spending_day bigint, idempotency_id text, request_hash text, session text,
    session_began_ms bigint, is_test integer not null
  );
  create index reservations_by_account on reservations (account_id, given_back);
  create index reservations_by_expiry on reservations (expires_at_ms);
  create table ledger (
    account_id text not null references accounts (id), key_id text not null, day text not null,
    operation text not null, requests bigint not null, tokens bigint not null, refused_rate bigint not null,
    refused_allowance bigint not null, sessions bigint not null, session_calls bigint not null,
    is_test integer not null, primary key (account_id, is_test, day, key_id, operation)
  );
  create index ledger_by_day on ledger (day);
  create index ledger_by_key on ledger (key_id, day);
  create table failed_calls (
    account_id text not null references accounts (id), key_id text not null, day text not null,
    operation text not null, failed_caller bigint not null, failed_service bigint not null,
    primary key (account_id, day, key_id, operation)
  );
  create table calls (
    account_id text not null, at_ms bigint not null, request_id text not null, key_id text not null,
    operation text not null, status integer not null, code text, tokens bigint not null,
    duration_us bigint not null, primary key (account_id, at_ms, request_id)
  );
  create index calls_by_time on calls (at_ms);
  create table typing_sessions (
    key_id text not null, session text not null, account_id text not null references accounts (id),
    began_at_ms bigint not null, followers integer not null, primary key (key_id, session)
  );
  create index typing_sessions_by_beginning on typing_sessions (began_at_ms);
  create index typing_sessions_by_account on typing_sessions (account_id);
  create table stored_responses (
    account_id text not null, id text not null, request_hash text not null, expires_at_ms bigint not null,
    status integer not null, names text not null, answer text not null, primary key (account_id, id)
  );
  create index stored_responses_by_expiry on stored_responses (expires_at_ms);
  create table stored_response_totals (
    account_id text not null, ends_at_ms bigint not null, answers bigint not null, bytes bigint not null,
    primary key (account_id, ends_at_ms)
  );
  create index stored_response_totals_by_end on stored_response_totals (ends_at_ms);
  create table probe (
    id integer primary key, probed_at_ms bigint not null
  );
  create table applied_batches (
    id text primary key, is_void integer not null, noted_at_ms bigint not null
  );
  create index applied_batches_by_age on applied_batches (noted_at_ms);
`;

/** People and their sign-in, mail, and operators' records. */
const PEOPLE = `
  create table people (
    account_id text primary key references accounts (id), password_hash text,
    admin integer not null default 0, language text not null default 'en', first_key_at text,
    allowance_mails integer not null default 1
  );
  create table sessions (
    id text primary key, account_id text not null references accounts (id), token_hash text not null unique,
    created_at_ms bigint not null, last_seen_at_ms bigint not null, ends_at_ms bigint not null, client text
  );
  create index sessions_by_account on sessions (account_id);
  create table known_addresses (
    account_id text not null references accounts (id) on delete cascade, address_hash text not null,
    seen_at_ms bigint not null, primary key (account_id, address_hash)
  );
  create index known_addresses_by_age on known_addresses (seen_at_ms);
  create table one_time_tokens (
    hash text primary key, purpose text not null, expires_at_ms bigint not null,
    account_id text references accounts (id), email text, tier text, password_hash text, invite_hash text,
    language text
  );
  create index one_time_tokens_by_account on one_time_tokens (account_id);
  create table attempts (
    subject text primary key, tries bigint not null, ends_at_ms bigint not null
  );
  create table waiting_mails (
    id text primary key, kind text not null, email_hash text not null, account_id text, email text,
    tier text, password_hash text, invite_hash text, language text not null, asked_at_ms bigint not null,
    drop_at_ms bigint not null, due_at_ms bigint not null, failures integer not null default 0,
    claims integer not null default 0, open_claims integer not null default 0, token_hash text,
    tokens bigint, month integer
  );
  create index waiting_mails_by_due on waiting_mails (due_at_ms);
  create index waiting_mails_by_address on waiting_mails (email_hash);
  create table allowance_notices (
    account_id text not null references accounts (id), month integer not null, tokens bigint not null,
    percent integer not null, primary key (account_id, month, tokens, percent)
  );
  create index allowance_notices_by_month on allowance_notices (month);
  create table plan_requests (
    account_id text primary key references accounts (id), tier text not null, asked_at text not null
  );
  create table departed_months (
    email_hash text not null, month integer not null, used bigint not null, primary key (email_hash, month)
  );
  create table suspended_addresses (
    email_hash text primary key, suspended_at text, expires_at_ms bigint not null
  );
  create table key_days (
    subject text not null, day text not null, made bigint not null, primary key (subject, day)
  );
  create index key_days_by_day on key_days (day);
  create table secrets (
    name text primary key, value text not null
  );
  create table two_factors (
    account_id text primary key references accounts (id) on delete cascade, sealed text not null,
    begun_at_ms bigint not null, on_since text, last_step bigint not null
  );
  create table recovery_codes (
    account_id text not null references accounts (id) on delete cascade, hash text not null,
    primary key (account_id, hash)
  );
  create table audit_log (
    id text primary key, at_ms bigint not null, changed_by text not null, what text not null, subject text,
    key_id text, before text, after text
  );
  create index audit_log_by_time on audit_log (at_ms);
  create index audit_log_by_subject on audit_log (subject, at_ms);
  create index audit_log_by_what on audit_log (what, at_ms);
  create table operator_notes (
    account_id text primary key references accounts (id) on delete cascade, text text not null,
    version bigint not null, changed_at_ms bigint not null, changed_by text not null
  );
`;

/** Verdicts of VIES and responses of the live registry. */
const UPSTREAM = `
  create table verdicts (
    vat_number text primary key, valid integer not null, validated_at text not null, name text,
    address text, received_at_ms bigint not null, positive_validated_at text, positive_name text,
    positive_address text, positive_received_at_ms bigint
  );
  create index verdicts_by_age on verdicts (received_at_ms);
  create index verdicts_by_positive_age on verdicts (positive_received_at_ms) where valid = 0;
  create table consultations (
    account_id text not null references accounts (id), vat_number text not null, requester text not null,
    validated_at text not null, consultation_number text not null, received_at_ms bigint not null,
    primary key (account_id, vat_number, requester)
  );
  create index consultations_by_age on consultations (received_at_ms);
  create table vies_history (
    state text not null, slot_at_ms bigint not null, answered bigint not null, unanswered bigint not null,
    primary key (slot_at_ms, state)
  );
  create table live_companies (
    kvk_number text primary key, facts text, told_at_ms bigint not null, times_told bigint not null,
    branches text, branches_at_ms bigint
  );
  create index live_companies_by_age on live_companies (told_at_ms);
  create table live_searches (
    criteria text primary key, page text not null, found_at_ms bigint not null
  );
  create index live_searches_by_age on live_searches (found_at_ms);
  create table live_days (
    day text primary key, calls bigint not null, free_calls bigint not null default 0
  );
  create table live_places (
    subject text not null, day text not null, holder text not null, under_way bigint not null,
    misses bigint not null, lapses_at_ms bigint not null, primary key (subject, day, holder)
  );
  create index live_places_by_day on live_places (day);
  create table forgotten (
    kvk_number text primary key, vat_numbers text not null, forgotten_at_ms bigint not null
  );
`;

/** Background lists and webhooks. */
const JOBS = `
  create table jobs (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    key_id text not null, is_test integer not null, kind text not null, status text not null, reason text,
    sent bigint not null, duplicates bigint not null, estimated bigint not null, found bigint not null,
    failed bigint not null, charged bigint not null, max_tokens bigint, webhook text,
    created_at_ms bigint not null, started_at_ms bigint, ended_at_ms bigint, step bigint not null,
    claim bigint not null, lease_until_ms bigint not null, due_at_ms bigint, served_at_ms bigint not null
  );
  create index jobs_by_due on jobs (due_at_ms);
  create index jobs_by_account on jobs (account_id, created_at_ms);
  create table job_blocks (
    job_id text not null, account_id text not null, block bigint not null, attempt bigint not null,
    due_at_ms bigint not null, size bigint not null, taken bigint not null, numbers text not null,
    primary key (job_id, block)
  );
  create index job_blocks_by_account on job_blocks (account_id);
  create table job_results (
    job_id text not null, account_id text not null, step bigint not null, lines text not null,
    jsonl_bytes bigint not null, csv_bytes bigint not null, mark text not null, primary key (job_id, step)
  );
  create index job_results_by_account on job_results (account_id);
  create index job_results_by_mark on job_results (mark);
  create table list_totals (
    name text primary key, numbers bigint not null, free_numbers bigint not null,
    counted_at_ms bigint not null
  );
  create table webhook_secrets (
    account_id text not null references accounts (id) on delete cascade, seed text not null,
    made_at_ms bigint not null, ends_at_ms bigint, primary key (account_id, seed)
  );
  create table webhook_messages (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    url text not null, payload text not null, due_at_ms bigint not null, drop_at_ms bigint not null,
    failures integer not null, claims integer not null
  );
  create index webhook_messages_by_due on webhook_messages (due_at_ms);
  create index webhook_messages_by_account on webhook_messages (account_id);
`;

/**
 * Rows that a charge updates in place. Free space in each page keeps updates out of the indexes
 * (postgresql.org/docs/current/storage-hot.html).
 */
const UPDATED_IN_PLACE = ["accounts", "keys", "account_months", "ledger"];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [METERING, PEOPLE, UPSTREAM, JOBS].join("").split(";")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
  await sql`insert into probe (id, probed_at_ms) values (1, 0)`.execute(db);
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  for (const table of UPDATED_IN_PLACE) {
    await sql`alter table ${sql.table(table)} set (fillfactor = 70)`.execute(db);
  }
}
