import type { Kysely } from "kysely";

/** How many questions VIES answered and did not, by member state and half hour: what the status page draws. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("vies_history")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("slot_at_ms", "bigint", (column) => column.notNull())
    .addColumn("answered", "bigint", (column) => column.notNull())
    .addColumn("unanswered", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("vies_history_key", ["slot_at_ms", "state"])
    .execute();
}
