import { type Kysely, sql } from "kysely";

/** Accounts, keys with their windows, allowances by month, reservations, the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("accounts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("tier", "text", (column) => column.notNull())
    .addColumn("suspended", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("keys")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("last_four", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("revoked_at", "text")
    .addColumn("minute", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("calls_in_minute", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("keys_by_account").on("keys").column("account_id").execute();
  await db.schema
    .createTable("account_months")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("account_months_key", ["account_id", "month"])
    .execute();
  await db.schema
    .createTable("reservations")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("given_back", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("reservations_by_account")
    .on("reservations")
    .columns(["account_id", "given_back"])
    .execute();
  await db.schema.createIndex("reservations_by_expiry").on("reservations").column("expires_at_ms").execute();
  await db.schema
    .createTable("ledger")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("requests", "bigint", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("refused_rate", "bigint", (column) => column.notNull())
    .addColumn("refused_allowance", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("ledger_key", ["account_id", "day", "key_id", "operation"])
    .execute();
  await db.schema
    .createTable("probe")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("probed_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await sql`insert into probe (id, probed_at_ms) values (1, 0)`.execute(db);
}
