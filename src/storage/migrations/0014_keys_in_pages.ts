import type { Kysely } from "kysely";

/** How many keys an address made on a day, and what keys and their usage are read by, a page at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("key_days")
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("made", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("key_days_key", ["subject", "day"])
    .execute();
  await db.schema.createIndex("key_days_by_day").on("key_days").column("day").execute();
  await db.schema
    .createIndex("keys_by_account_end")
    .ifNotExists()
    .on("keys")
    .columns(["account_id", "revoked_at", "id"])
    .execute();
  await db.schema
    .createIndex("keys_by_open_day")
    .ifNotExists()
    .on("keys")
    .columns(["account_id", "open_day"])
    .execute();
  await db.schema
    .createIndex("ledger_by_key")
    .ifNotExists()
    .on("ledger")
    .columns(["key_id", "day"])
    .execute();
}
