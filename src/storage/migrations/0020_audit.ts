import type { Kysely } from "kysely";

/** What operators changed. It outlives the accounts that it is about, so it refers to none of their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("audit_log")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at_ms", "bigint", (column) => column.notNull())
    .addColumn("changed_by", "text", (column) => column.notNull())
    .addColumn("what", "text", (column) => column.notNull())
    .addColumn("subject", "text")
    .addColumn("key_id", "text")
    .addColumn("before", "text")
    .addColumn("after", "text")
    .execute();
  await db.schema.createIndex("audit_log_by_time").on("audit_log").column("at_ms").execute();
}
