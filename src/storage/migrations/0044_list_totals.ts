import type { Kysely } from "kysely";

/** How many numbers lists hold together, in one row: lists that are sent at once to several nodes are held against it one after the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("list_totals")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("numbers", "bigint", (column) => column.notNull())
    .addColumn("free_numbers", "bigint", (column) => column.notNull())
    .addColumn("counted_at_ms", "bigint", (column) => column.notNull())
    .execute();
}
