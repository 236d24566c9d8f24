import { type Kysely, sql } from "kysely";

/**
 * What a key for browsers may do and has spent on a day, where a key was seen in a browser, and on which day of its key a reservation
 * set tokens aside.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const keys = () => db.schema.alterTable("keys");
  await keys().addColumn("origins", "text").execute();
  await keys()
    .addColumn("may_look_up", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await keys().addColumn("daily_tokens", "bigint").execute();
  for (const name of ["spending_day", "spent_in_day"]) {
    await keys()
      .addColumn(name, "bigint", (column) => column.notNull().defaultTo(sql`0`))
      .execute();
  }
  await keys().addColumn("browser_origin", "text").execute();
  await keys().addColumn("browser_at_ms", "bigint").execute();
  await db.schema.alterTable("reservations").addColumn("spending_day", "bigint").execute();
}
