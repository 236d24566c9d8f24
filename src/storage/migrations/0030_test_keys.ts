import type { Kysely } from "kysely";

/** The books of test keys, which have the columns of those of live ones: allowances by month, reservations, the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("test_months")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("test_months_key", ["account_id", "month"])
    .execute();
  await db.schema
    .createTable("test_reservations")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("given_back", "integer", (column) => column.notNull())
    .addColumn("keep_id", "text")
    .addColumn("request_hash", "text")
    .addColumn("spending_day", "bigint")
    .execute();
  await db.schema
    .createIndex("test_reservations_by_account")
    .on("test_reservations")
    .columns(["account_id", "given_back"])
    .execute();
  await db.schema
    .createIndex("test_reservations_by_expiry")
    .on("test_reservations")
    .column("expires_at_ms")
    .execute();
  await db.schema
    .createTable("test_ledger")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("requests", "bigint", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("refused_rate", "bigint", (column) => column.notNull())
    .addColumn("refused_allowance", "bigint", (column) => column.notNull())
    .addColumn("sessions", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("session_calls", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("test_ledger_key", ["account_id", "day", "key_id", "operation"])
    .execute();
}
