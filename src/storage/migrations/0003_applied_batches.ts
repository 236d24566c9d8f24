import type { Kysely } from "kysely";

/** Ids of batches that were committed, or that never may be, for a store whose commits can have an unknown outcome. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("applied_batches")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("is_void", "integer", (column) => column.notNull())
    .addColumn("noted_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("applied_batches_by_age").on("applied_batches").column("noted_at_ms").execute();
}
