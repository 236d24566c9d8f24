import type { Kysely } from "kysely";

/** Suspensions that outlive their account, under the keyed hash of its address, and since when an account is suspended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("accounts").addColumn("suspended_at", "text").execute();
  await db.schema
    .createTable("suspended_addresses")
    .addColumn("email_hash", "text", (column) => column.primaryKey())
    .addColumn("suspended_at", "text")
    .addColumn("kept_until_ms", "bigint", (column) => column.notNull())
    .execute();
}
