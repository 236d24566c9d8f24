import type { Kysely } from "kysely";

/** Calls that were answered with an error, beside the ledger and by its key: they cost nothing, and their count may lack the last seconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("failed_calls")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("failed_caller", "bigint", (column) => column.notNull())
    .addColumn("failed_service", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("failed_calls_key", ["account_id", "day", "key_id", "operation"])
    .execute();
}
