import { type Kysely, PostgresAdapter, sql } from "kysely";

// `../schema/monitorSources.ts` describes the columns.

const SOURCES = `
  create table source_turns (
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
  alter table live_days add column monitor_calls bigint not null default 0;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of SOURCES.split(";")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Its few rows are updated in place; see `0001_baseline.ts`.
  await sql`alter table source_turns set (fillfactor = 70)`.execute(db);
}
