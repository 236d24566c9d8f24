import type { Kysely } from "kysely";

/** Sessions of typing, by the hash of what their client calls them, while calls may follow in them; the ledger counts them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("typing_sessions")
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("session", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("began_at_ms", "bigint", (column) => column.notNull())
    .addColumn("followers", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("typing_sessions_key", ["key_id", "session"])
    .execute();
  await db.schema
    .createIndex("typing_sessions_by_beginning")
    .on("typing_sessions")
    .column("began_at_ms")
    .execute();
  await db.schema
    .createIndex("typing_sessions_by_account")
    .on("typing_sessions")
    .column("account_id")
    .execute();
  for (const figure of ["sessions", "session_calls"]) {
    await db.schema
      .alterTable("ledger")
      .addColumn(figure, "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
