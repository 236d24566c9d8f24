import { type Kysely, PostgresAdapter, sql } from "kysely";

// The files of `../schema` describe the columns. Rows of an account are deleted with it, also by a version without
// monitors.

const MONITORS = `
  create table monitors (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    key_id text not null, is_test integer not null, kvk_number text not null,
    over_limit integer not null default 0, over_limit_since_ms bigint, events text, metadata text,
    webhook text, created_at_ms bigint not null, unique (account_id, is_test, kvk_number)
  );
  create index monitors_by_company on monitors (kvk_number, is_test);
  create index monitors_by_age on monitors (account_id, is_test, created_at_ms, id);
  create index monitors_by_limit on monitors (account_id, is_test, over_limit, created_at_ms, id);
  create index monitors_by_webhook on monitors (account_id, webhook) where webhook is not null;
  create table monitor_accounts (
    account_id text not null references accounts (id) on delete cascade, is_test integer not null,
    last_sequence bigint not null default 0, deleted_through bigint not null default 0,
    read_through bigint not null default 0, month integer not null default 0, spent bigint not null default 0,
    max_tokens bigint, has_digest integer not null default 1, digest_sent_at_ms bigint not null default 0,
    digest_through bigint not null default 0, due_at_ms bigint, aligned_limit bigint,
    waits integer not null default 0, primary key (account_id, is_test)
  );
  create index monitor_accounts_by_due on monitor_accounts (due_at_ms);
  create table shown_companies (
    account_id text not null references accounts (id) on delete cascade, month integer not null,
    kvk_number text not null, primary key (account_id, month, kvk_number)
  );
  create index shown_companies_by_month on shown_companies (month);
  create index shown_companies_by_company on shown_companies (kvk_number);
  create table monitor_baselines (
    kvk_number text not null, origin text not null, as_of_ms bigint not null, serial_ms bigint not null,
    format integer not null, fields text not null, primary key (kvk_number, origin)
  );
  create table change_places (id integer primary key, last bigint not null);
`;

const EVENTS = `
  create table pending_changes (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    is_test integer not null, key_id text not null,
    monitor_id text references monitors (id) on delete cascade, place bigint not null, kvk_number text,
    type text not null, changes text not null, origin text, as_of_ms bigint, observed_at_ms bigint not null,
    price integer not null, metadata text, webhook text
  );
  create index pending_changes_by_account on pending_changes (account_id, is_test, place);
  create index pending_changes_by_monitor on pending_changes (monitor_id);
  create index pending_changes_by_company on pending_changes (kvk_number);
  create index pending_changes_by_age on pending_changes (observed_at_ms);
  create table events (
    account_id text not null references accounts (id) on delete cascade, is_test integer not null,
    sequence bigint not null, id text not null unique, monitor_id text, kvk_number text, type text not null,
    changes text not null, origin text, as_of_ms bigint, observed_at_ms bigint not null, metadata text,
    recorded_at_ms bigint not null, primary key (account_id, is_test, sequence)
  );
  create index events_by_company on events (kvk_number);
  create index events_by_age on events (recorded_at_ms);
`;

const SOURCES = `
  create table turns (
    name text primary key, claim bigint not null, lease_until_ms bigint not null, due_at_ms bigint not null,
    cursor text not null
  );
  create table kvk_signals (
    id text primary key, kvk_number text not null, is_about_branch integer not null, at_ms bigint not null,
    received_at_ms bigint not null, due_at_ms bigint
  );
  create index kvk_signals_by_due on kvk_signals (due_at_ms) where due_at_ms is not null;
  create index kvk_signals_by_company on kvk_signals (kvk_number);
  create index kvk_signals_by_age on kvk_signals (received_at_ms);
  create table insolvencies (
    kvk_number text primary key, insolvency text, is_active integer, observed_at_ms bigint not null,
    is_monitored integer not null
  );
  create index insolvencies_by_age on insolvencies (is_monitored, observed_at_ms, kvk_number);
  create index insolvencies_by_end on insolvencies (kvk_number) where is_active = 0 and is_monitored = 1;
  create index if not exists live_companies_by_branches on live_companies (branches_at_ms) where branches_at_ms is not null;
  alter table live_days add column monitor_calls bigint not null default 0;
`;

const WEBHOOKS = `
  create table webhook_endpoints (
    account_id text not null references accounts (id) on delete cascade, url text not null,
    delivered_at_ms bigint, failed_at_ms bigint, failure text, failures integer not null default 0,
    paused_until_ms bigint not null default 0, disabled_at_ms bigint,
    is_reported integer not null default 0, primary key (account_id, url)
  );
  create index webhook_endpoints_by_end on webhook_endpoints (disabled_at_ms) where disabled_at_ms is not null;
  create table clock_watch (id integer primary key, since_ms bigint not null, seen_ms bigint not null);
  alter table webhook_messages add column test_of text;
  create index webhook_messages_by_test on webhook_messages (account_id) where test_of is not null;
  create index webhook_messages_by_tested on webhook_messages (test_of) where test_of is not null;
  alter table webhook_messages add column monitor_id text;
  create index webhook_messages_by_monitor on webhook_messages (monitor_id) where monitor_id is not null;
  create index if not exists webhook_messages_by_address on webhook_messages (account_id, url, due_at_ms);
`;

const OTHERS = `
  create table nodes (id text primary key, version text not null, seen_at_ms bigint not null);
  alter table jobs add column columns text;
`;

/** Rows that are updated in place; see `0001_baseline.ts`. */
const UPDATED_IN_PLACE = ["monitor_accounts", "monitor_baselines", "change_places", "turns"];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [MONITORS, EVENTS, SOURCES, WEBHOOKS, OTHERS].join("").split(";")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  for (const table of UPDATED_IN_PLACE) {
    await sql`alter table ${sql.table(table)} set (fillfactor = 70)`.execute(db);
  }
}
