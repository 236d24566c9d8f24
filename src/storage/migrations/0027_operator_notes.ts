import type { Kysely } from "kysely";

/**
 * What operators note about an account, and ways to leaf through the audit log by account and by kind. A note goes with its
 * account, also where a node of the version before deletes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("operator_notes")
    .addColumn("account_id", "text", (column) =>
      column.primaryKey().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull())
    .addColumn("changed_at_ms", "bigint", (column) => column.notNull())
    .addColumn("changed_by", "text", (column) => column.notNull())
    .execute();
  for (const [name, column] of [
    ["audit_log_by_subject", "subject"],
    ["audit_log_by_what", "what"],
  ] as const) {
    await db.schema.createIndex(name).ifNotExists().on("audit_log").columns([column, "at_ms"]).execute();
  }
}
