import type { Kysely } from "kysely";

/** Mails that wait to be sent: for whom and what they are, never a link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("waiting_mails")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("email_hash", "text", (column) => column.notNull())
    .addColumn("account_id", "text")
    .addColumn("email", "text")
    .addColumn("tier", "text")
    .addColumn("password_hash", "text")
    .addColumn("invite_hash", "text")
    .addColumn("language", "text", (column) => column.notNull())
    .addColumn("asked_at_ms", "bigint", (column) => column.notNull())
    .addColumn("drop_at_ms", "bigint", (column) => column.notNull())
    .addColumn("due_at_ms", "bigint", (column) => column.notNull())
    .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("claims", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("open_claims", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("token_hash", "text")
    .execute();
  await db.schema.createIndex("waiting_mails_by_due").on("waiting_mails").column("due_at_ms").execute();
  await db.schema.createIndex("waiting_mails_by_address").on("waiting_mails").column("email_hash").execute();
}
