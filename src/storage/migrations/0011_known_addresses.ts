import type { Kysely } from "kysely";

/**
 * Network addresses that accounts have signed in from, as keyed hashes. They go with their account, also where a node of the version
 * before deletes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("known_addresses")
    .addColumn("account_id", "text", (column) =>
      column.notNull().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("address_hash", "text", (column) => column.notNull())
    .addColumn("seen_at_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("known_addresses_pk", ["account_id", "address_hash"])
    .execute();
}
