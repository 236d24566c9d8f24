import type { Kysely } from "kysely";

/**
 * Answers that are kept with their charge, what of them counts against the bounds of accounts, by the hour in which it ends, and by what
 * work under way is known again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("kept_answers")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("request_hash", "text", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("names", "text", (column) => column.notNull())
    .addColumn("answer", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("kept_answers_key", ["account_id", "id"])
    .execute();
  await db.schema.createIndex("kept_answers_by_expiry").on("kept_answers").column("expires_at_ms").execute();
  await db.schema
    .createTable("kept_totals")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint", (column) => column.notNull())
    .addColumn("answers", "bigint", (column) => column.notNull())
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("kept_totals_key", ["account_id", "ends_at_ms"])
    .execute();
  await db.schema.createIndex("kept_totals_by_end").on("kept_totals").column("ends_at_ms").execute();
  await db.schema.alterTable("reservations").addColumn("keep_id", "text").execute();
  await db.schema.alterTable("reservations").addColumn("request_hash", "text").execute();
}
