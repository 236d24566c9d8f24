import { type Kysely, sql } from "kysely";

/** People with their sessions and one-time tokens, tries, requests for a plan, and keys that end at a set time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("people")
    .addColumn("account_id", "text", (column) => column.primaryKey().references("accounts.id"))
    .addColumn("password_hash", "text")
    .addColumn("admin", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("language", "text", (column) => column.notNull().defaultTo("en"))
    .addColumn("first_key_at", "text")
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addColumn("last_seen_at_ms", "bigint", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint", (column) => column.notNull())
    .addColumn("client", "text")
    .execute();
  await db.schema.createIndex("sessions_by_account").on("sessions").column("account_id").execute();
  await db.schema
    .createTable("one_time_tokens")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.references("accounts.id"))
    .addColumn("email", "text")
    .addColumn("tier", "text")
    .addColumn("password_hash", "text")
    .addColumn("invite_hash", "text")
    .addColumn("language", "text")
    .execute();
  await db.schema
    .createIndex("one_time_tokens_by_account")
    .on("one_time_tokens")
    .column("account_id")
    .execute();
  await db.schema
    .createTable("attempts")
    .addColumn("subject", "text", (column) => column.primaryKey())
    .addColumn("tries", "bigint", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("plan_requests")
    .addColumn("account_id", "text", (column) => column.primaryKey().references("accounts.id"))
    .addColumn("tier", "text", (column) => column.notNull())
    .addColumn("asked_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("departed")
    .addColumn("email_hash", "text", (column) => column.primaryKey())
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("secrets")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db.schema.alterTable("keys").addColumn("ends_at", "text").execute();
  // Looked at every second, and nearly always empty: it holds the keys that were rolled and live on.
  await db.schema
    .createIndex("keys_by_end")
    .ifNotExists()
    .on("keys")
    .column("ends_at")
    .where(sql`ends_at`, "is not", null)
    .where(sql`revoked_at`, "is", null)
    .execute();
  await db.schema.createIndex("ledger_by_day").ifNotExists().on("ledger").column("day").execute();
}
