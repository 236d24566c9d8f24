import { type Kysely, sql } from "kysely";

// `../schema/jobs.ts` describes the columns.

const TURNS = `
  alter table webhook_messages add column test_of text;
  create index webhook_messages_by_test on webhook_messages (account_id) where test_of is not null;
  create index webhook_messages_by_tested on webhook_messages (test_of) where test_of is not null;
  create table clock_watch (id integer primary key, since_ms bigint not null, seen_ms bigint not null)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of TURNS.split(";")) await sql.raw(statement).execute(db);
}
