import type { Kysely } from "kysely";

/** What deleted accounts used, by month: a clock that is wrong when one is deleted must not have the others forgotten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("departed_months")
    .addColumn("email_hash", "text", (column) => column.notNull())
    .addColumn("month", "integer", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("departed_months_key", ["email_hash", "month"])
    .execute();
}
