import type { Kysely } from "kysely";

/** When a key expires, and the networks that it may be used from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("keys").addColumn("expires_at_ms", "bigint").execute();
  await db.schema.alterTable("keys").addColumn("networks", "text").execute();
}
