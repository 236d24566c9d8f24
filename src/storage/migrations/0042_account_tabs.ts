import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * An account's tab: one narrow row with all that a call changes, of an account whose calls come with one key. It stands in the place of the month's use
 * and of the key's window while it is open, and its line of the ledger is added by whoever reads that. Whoever locks the account closes it.
 * Batches say by which version they are: a node that knows no tabs must not charge beside them (docs/decisions/0094-an-account-has-a-tab.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("account_tabs")
    .addColumn("account_id", "text", (column) => column.primaryKey().references("accounts.id"))
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("tier", "text", (column) => column.notNull())
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addColumn("minute", "bigint", (column) => column.notNull())
    .addColumn("calls_in_minute", "bigint", (column) => column.notNull())
    .addColumn("open_day", "text")
    .addColumn("open_operation", "text")
    .addColumn("open_requests", "bigint")
    .addColumn("open_tokens", "bigint")
    .addColumn("ended_day", "text")
    .addColumn("ended_operation", "text")
    .addColumn("ended_requests", "bigint")
    .addColumn("ended_tokens", "bigint")
    .execute();
  await db.schema
    .alterTable("applied_batches")
    .addColumn("layout", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Each charge writes the row anew: the next version finds room beside it, without a write to the index.
  await sql`alter table account_tabs set (fillfactor = 50)`.execute(db);
}
