import type { Kysely } from "kysely";

/**
 * Lists of numbers that are worked off by and by: how far each is, the numbers that were sent, in blocks, and the results, in the steps that
 * were charged. A list goes with its account, also where a node of the version before deletes it; its numbers and results are many, and go in
 * steps after it, see 0040.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("jobs")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) =>
      column.notNull().references("accounts.id").onDelete("cascade"),
    )
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("is_test", "integer", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("sent", "bigint", (column) => column.notNull())
    .addColumn("duplicates", "bigint", (column) => column.notNull())
    .addColumn("estimated", "bigint", (column) => column.notNull())
    .addColumn("found", "bigint", (column) => column.notNull())
    .addColumn("failed", "bigint", (column) => column.notNull())
    .addColumn("charged", "bigint", (column) => column.notNull())
    .addColumn("max_tokens", "bigint")
    .addColumn("webhook", "text")
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addColumn("started_at_ms", "bigint")
    .addColumn("ended_at_ms", "bigint")
    .addColumn("step", "bigint", (column) => column.notNull())
    .addColumn("claim", "bigint", (column) => column.notNull())
    .addColumn("lease_until_ms", "bigint", (column) => column.notNull())
    .addColumn("due_at_ms", "bigint")
    .addColumn("served_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("jobs_by_due").on("jobs").column("due_at_ms").execute();
  await db.schema
    .createIndex("jobs_by_account")
    .on("jobs")
    .columns(["account_id", "created_at_ms"])
    .execute();
  await db.schema
    .createTable("job_blocks")
    .addColumn("job_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("block", "bigint", (column) => column.notNull())
    .addColumn("attempt", "bigint", (column) => column.notNull())
    .addColumn("due_at_ms", "bigint", (column) => column.notNull())
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("taken", "bigint", (column) => column.notNull())
    .addColumn("numbers", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("job_blocks_key", ["job_id", "block"])
    .execute();
  await db.schema.createIndex("job_blocks_by_account").on("job_blocks").column("account_id").execute();
  await db.schema
    .createTable("job_results")
    .addColumn("job_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("step", "bigint", (column) => column.notNull())
    .addColumn("lines", "text", (column) => column.notNull())
    .addColumn("jsonl_bytes", "bigint", (column) => column.notNull())
    .addColumn("csv_bytes", "bigint", (column) => column.notNull())
    .addColumn("mark", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("job_results_key", ["job_id", "step"])
    .execute();
  await db.schema.createIndex("job_results_by_account").on("job_results").column("account_id").execute();
  await db.schema.createIndex("job_results_by_mark").on("job_results").column("mark").execute();
}
