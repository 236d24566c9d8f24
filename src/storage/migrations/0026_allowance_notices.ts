import type { Kysely } from "kysely";

/**
 * Which accounts were told by mail that their allowance comes to its end: once for each month, allowance and percentage. What such a mail
 * says, and whether an account wants any.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("allowance_notices")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("percent", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("allowance_notices_key", ["account_id", "month", "tokens", "percent"])
    .execute();
  await db.schema.createIndex("allowance_notices_by_month").on("allowance_notices").column("month").execute();
  await db.schema.alterTable("waiting_mails").addColumn("tokens", "bigint").execute();
  await db.schema.alterTable("waiting_mails").addColumn("month", "integer").execute();
  await db.schema
    .alterTable("people")
    .addColumn("allowance_mails", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  // Those who are near the end of a month's allowance are looked for among the accounts that used any of it.
  await db.schema
    .createIndex("account_months_by_month")
    .ifNotExists()
    .on("account_months")
    .columns(["month", "account_id"])
    .execute();
}
