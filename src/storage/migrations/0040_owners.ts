import type { Kysely } from "kysely";

/**
 * Accounts that have many rows, or had them: whoever deletes one, its row here stays and refers to no account any more, so that what the account
 * had is found, and deleted in steps.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("owners")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("present_id", "text", (column) => column.references("accounts.id").onDelete("set null"))
    .execute();
  await db.schema.createIndex("owners_by_presence").on("owners").column("present_id").execute();
}
