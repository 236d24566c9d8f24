import type { Kysely } from "kysely";

/** What messages about the ends of lists are signed with, and those that wait to be delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_secrets")
    .addColumn("account_id", "text", (column) =>
      column.notNull().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("seed", "text", (column) => column.notNull())
    .addColumn("made_at_ms", "bigint", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint")
    .addPrimaryKeyConstraint("webhook_secrets_key", ["account_id", "seed"])
    .execute();
  await db.schema
    .createTable("webhook_messages")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) =>
      column.notNull().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("due_at_ms", "bigint", (column) => column.notNull())
    .addColumn("drop_at_ms", "bigint", (column) => column.notNull())
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("claims", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("webhook_messages_by_due").on("webhook_messages").column("due_at_ms").execute();
  await db.schema
    .createIndex("webhook_messages_by_account")
    .on("webhook_messages")
    .column("account_id")
    .execute();
}
