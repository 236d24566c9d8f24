import type { Kysely } from "kysely";

/** Of which session of typing a reservation is, and in which beginning of it one that follows has its place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["reservations", "test_reservations"]) {
    await db.schema.alterTable(table).addColumn("session", "text").execute();
    await db.schema.alterTable(table).addColumn("session_began_ms", "bigint").execute();
  }
}
