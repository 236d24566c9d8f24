import { type Kysely, sql } from "kysely";

// `../schema/jobs.ts` describes the column.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table jobs add column columns text").execute(db);
}
