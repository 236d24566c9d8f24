import { type Kysely, sql } from "kysely";

// `../schema/jobs.ts` and `../schema/monitors.ts` describe the columns.

const ADDRESSES = `
  create index if not exists webhook_messages_by_address on webhook_messages (account_id, url, due_at_ms);
  alter table webhook_messages add column monitor_id text;
  create index webhook_messages_by_monitor on webhook_messages (monitor_id) where monitor_id is not null;
  alter table webhook_endpoints add column failures integer not null default 0;
  alter table webhook_endpoints add column paused_until_ms bigint not null default 0
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ADDRESSES.split(";")) await sql.raw(statement).execute(db);
}
