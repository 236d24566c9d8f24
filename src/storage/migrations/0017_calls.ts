import type { Kysely } from "kysely";

/** The last calls of each account: how they went, never what was asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("calls")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("at_ms", "bigint", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("code", "text")
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("duration_us", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("calls_key", ["account_id", "at_ms", "request_id"])
    .execute();
  await db.schema.createIndex("calls_by_time").on("calls").column("at_ms").execute();
}
