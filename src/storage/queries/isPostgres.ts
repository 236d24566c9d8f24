import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import { POSTGRES, SQLITE } from "../batch/sql.ts";
import type { Tables } from "../schema/tables.ts";

/** Whether the database is PostgreSQL: it locks rows, can write two tables in one statement, and orders text by a locale. */
export function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** At the end of a query for rows to delete or change: leaves out rows that another session holds. */
export function skipLocked(db: Kysely<Tables>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for update skip locked` : sql``;
}

/**
 * Objects as the rows of a table, by one parameter.
 * @param columns names and types, see `Dialect.list`
 */
export function rowsOf(
  db: Kysely<Tables>,
  rows: readonly object[],
  table: string,
  columns: string,
): RawBuilder<unknown> {
  const dialect = isPostgres(db) ? POSTGRES : SQLITE;
  // The text of the dialect names its parameter, which Kysely numbers by itself.
  const [before = "", after = ""] = dialect.list(1, table, columns).split(dialect.parameter(1));
  return sql`${sql.raw(before)}${JSON.stringify(rows)}${sql.raw(after)}`;
}
