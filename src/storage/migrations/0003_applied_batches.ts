import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Tables of which most writes change a row that is there. */
const CHANGED_IN_PLACE = ["accounts", "keys", "account_months", "ledger"];

/** Ids of batches that were committed, or that never may be, for a store whose commits can have an unknown outcome. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("applied_batches")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("is_void", "integer", (column) => column.notNull())
    .addColumn("noted_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("applied_batches_by_age").on("applied_batches").column("noted_at_ms").execute();
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Room beside each row for its next version: without it every charge would also write to the indexes
  // (postgresql.org/docs/current/storage-hot.html).
  for (const table of CHANGED_IN_PLACE) {
    await sql`alter table ${sql.table(table)} set (fillfactor = 70)`.execute(db);
  }
}
