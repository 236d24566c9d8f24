import type { Kysely } from "kysely";

/** Paid calls of accounts of free tiers, and what each holder has of a payer's misses: by the hash of the address, over all processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("live_days")
    .addColumn("free_calls", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("live_places")
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("under_way", "bigint", (column) => column.notNull())
    .addColumn("misses", "bigint", (column) => column.notNull())
    .addColumn("lapses_at_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("live_places_key", ["subject", "day", "holder"])
    .execute();
  await db.schema.createIndex("live_places_by_day").on("live_places").column("day").execute();
  // Whether there is an account of another tier is asked for each call beyond the share.
  await db.schema.createIndex("accounts_by_tier").ifNotExists().on("accounts").column("tier").execute();
}
