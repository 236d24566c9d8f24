import { type Kysely, sql } from "kysely";

/** Answers of VIES by number, the last and the last positive one; consultations by who asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("verdicts")
    .addColumn("vat_number", "text", (column) => column.primaryKey())
    .addColumn("valid", "integer", (column) => column.notNull())
    .addColumn("validated_at", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("address", "text")
    .addColumn("received_at_ms", "bigint", (column) => column.notNull())
    .addColumn("positive_validated_at", "text")
    .addColumn("positive_name", "text")
    .addColumn("positive_address", "text")
    .addColumn("positive_received_at_ms", "bigint")
    .execute();
  await db.schema.createIndex("verdicts_by_age").on("verdicts").column("received_at_ms").execute();
  // Deleting every minute what is too old must not read the whole table. Only a refusal outlives its last positive answer.
  await db.schema
    .createIndex("verdicts_by_positive_age")
    .on("verdicts")
    .column("positive_received_at_ms")
    .where(sql`valid`, "=", 0)
    .execute();
  await db.schema
    .createTable("consultations")
    .addColumn("account_id", "text", (column) => column.notNull().references("accounts.id"))
    .addColumn("vat_number", "text", (column) => column.notNull())
    .addColumn("requester", "text", (column) => column.notNull())
    .addColumn("validated_at", "text", (column) => column.notNull())
    .addColumn("consultation_number", "text", (column) => column.notNull())
    .addColumn("received_at_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("consultations_key", ["account_id", "vat_number", "requester"])
    .execute();
  await db.schema.createIndex("consultations_by_age").on("consultations").column("received_at_ms").execute();
}
