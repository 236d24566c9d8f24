import { type Kysely, sql } from "kysely";

/** Further fields of KVK's open data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table insolvencies add column activities text").execute(db);
  await sql.raw("alter table insolvencies add column start_date text").execute(db);
}
