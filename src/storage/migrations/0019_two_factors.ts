import type { Kysely } from "kysely";

/** Two-factor sign-in: sealed secrets, and hashes of recovery codes. They go with their account, also where a node of the version before deletes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("two_factors")
    .addColumn("account_id", "text", (column) =>
      column.primaryKey().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("sealed", "text", (column) => column.notNull())
    .addColumn("begun_at_ms", "bigint", (column) => column.notNull())
    .addColumn("on_since", "text")
    .addColumn("last_step", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("recovery_codes")
    .addColumn("account_id", "text", (column) =>
      column.notNull().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("recovery_codes_pk", ["account_id", "hash"])
    .execute();
}
