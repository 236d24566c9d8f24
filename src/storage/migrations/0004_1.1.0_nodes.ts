import { type Kysely, sql } from "kysely";

// `../schema/tables.ts` describes the columns.
const NODES = "create table nodes (id text primary key, version text not null, seen_at_ms bigint not null)";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(NODES).execute(db);
}
