import type { Kysely } from "kysely";

/** What a batch granted that the database itself decided, as JSON: its callers' answer when the commit's own is lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("applied_batches").addColumn("granted", "text").execute();
}
