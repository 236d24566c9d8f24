import type { Kysely } from "kysely";

/**
 * What a key is for. Every key that was made before kinds meant anything goes on as a live one, whatever it begins with; so does
 * one that a node of the version before makes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("keys")
    .addColumn("kind", "text", (column) => column.notNull().defaultTo("live"))
    .execute();
}
