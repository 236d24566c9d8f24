import type { Kysely } from "kysely";

/**
 * A write-behind counter in the key's row: the newest line of the key's ledger. A charge changes the row of its key anyway, for the rate
 * window; so PostgreSQL's fast path counts there as long as the calls are of one operation on one day, and each charge writes one row less. With
 * the first call of another operation or day the count is added to its line in `ledger` and begins anew. Whoever reads the ledger adds these columns to it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("keys").addColumn("open_day", "text").execute();
  await db.schema.alterTable("keys").addColumn("open_operation", "text").execute();
  await db.schema.alterTable("keys").addColumn("open_requests", "bigint").execute();
  await db.schema.alterTable("keys").addColumn("open_tokens", "bigint").execute();
}
