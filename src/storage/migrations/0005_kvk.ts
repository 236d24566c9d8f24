import type { Kysely } from "kysely";

/** What a live registry told, what it cost by day, and what must be forgotten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("live_companies")
    .addColumn("kvk_number", "text", (column) => column.primaryKey())
    .addColumn("facts", "text")
    .addColumn("told_at_ms", "bigint", (column) => column.notNull())
    .addColumn("times_told", "bigint", (column) => column.notNull())
    .addColumn("branches", "text")
    .addColumn("branches_at_ms", "bigint")
    .execute();
  await db.schema.createIndex("live_companies_by_age").on("live_companies").column("told_at_ms").execute();
  await db.schema
    .createTable("live_searches")
    .addColumn("criteria", "text", (column) => column.primaryKey())
    .addColumn("page", "text", (column) => column.notNull())
    .addColumn("found_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("live_searches_by_age").on("live_searches").column("found_at_ms").execute();
  await db.schema
    .createTable("live_days")
    .addColumn("day", "text", (column) => column.primaryKey())
    .addColumn("calls", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("live_misses")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("misses", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("live_misses_key", ["account_id", "day"])
    .execute();
  await db.schema.createIndex("live_misses_by_day").on("live_misses").column("day").execute();
  await db.schema
    .createTable("forgotten")
    .addColumn("kvk_number", "text", (column) => column.primaryKey())
    .addColumn("vat_numbers", "text", (column) => column.notNull())
    .addColumn("forgotten_at_ms", "bigint", (column) => column.notNull())
    .execute();
}
