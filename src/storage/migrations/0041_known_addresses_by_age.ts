import type { Kysely } from "kysely";

/**
 * Addresses that accounts signed in from are deleted by their age: there are up to twenty of every account, and every step looked at all of them. The other
 * tables that are swept without an index hold what waits or was there for days, and are small.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("known_addresses_by_age")
    .ifNotExists()
    .on("known_addresses")
    .column("seen_at_ms")
    .execute();
}
