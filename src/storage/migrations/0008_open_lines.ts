import type { Kysely } from "kysely";

/**
 * A key's open line of the ledger: what it was last charged for, added up beside its window, for a store on which each row more that a
 * charge changes is dear. It is put into the ledger when the key is charged for something else or on another day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("keys").addColumn("open_day", "text").execute();
  await db.schema.alterTable("keys").addColumn("open_operation", "text").execute();
  await db.schema.alterTable("keys").addColumn("open_requests", "bigint").execute();
  await db.schema.alterTable("keys").addColumn("open_tokens", "bigint").execute();
}
