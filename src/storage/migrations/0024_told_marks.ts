import type { Kysely } from "kysely";

/** In which order what a live source told was committed, for whoever reads what is new; 0 where a version before this one kept it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("live_marks")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("mark", "bigint", (column) => column.notNull())
    .execute();
  for (const table of ["live_companies", "live_searches"]) {
    await db.schema
      .alterTable(table)
      .addColumn("told_mark", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex(`${table}_by_mark`).ifNotExists().on(table).column("told_mark").execute();
  }
}
