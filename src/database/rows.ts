/** Statements on rows of one table that equal given values, and the differences between the databases. */
import {
  type Insertable,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
} from "kysely";
import { TABLES, type Tables } from "./schema/tables.ts";
import { POSTGRES, SQLITE } from "./sql.ts";

/** The number of due rows to try to claim; the next attempt tries the rest. */
export const MAX_CANDIDATES = 8;

type Name = keyof Tables;
export type Row<Table extends Name> = Selectable<Tables[Table]>;
/** Values of columns; a list matches any of its values. */
export type RowMatch<Table extends Name> = {
  readonly [Column in keyof Row<Table>]?: Row<Table>[Column] | readonly Row<Table>[Column][];
};
export type RowChanges<Table extends Name> = {
  readonly [Column in keyof Row<Table>]?: Row<Table>[Column] | RawBuilder<unknown>;
};

/** @param extraSql SQL after the conditions: further ones that begin with `and`, an order, a limit */
export async function findRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  extraSql: RawBuilder<unknown> = sql``,
): Promise<readonly Row<Table>[]> {
  const { rows } = await sql<Row<Table>>`
    select * from ${sql.table(table)} where ${conditionsOf(match)} ${extraSql}`.execute(db);
  return rows;
}

export async function findRow<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  extraSql?: RawBuilder<unknown>,
): Promise<Row<Table> | undefined> {
  const [row] = await findRows(db, table, match, extraSql);
  return row;
}

export async function insertRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  ...rows: readonly Insertable<Tables[Table]>[]
): Promise<void> {
  await db.insertInto(table).values(rows).execute();
}

/** Updates rows. @returns how many */
export async function updateRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  changes: RowChanges<Table>,
  extraSql: RawBuilder<unknown> = sql``,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${assignmentsOf(changes)} where ${conditionsOf(match)} ${extraSql}`.execute(
    db,
  );
  return Number(numAffectedRows);
}

/** Updates rows. @returns the updated rows */
export async function changeRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  changes: RowChanges<Table>,
  extraSql: RawBuilder<unknown> = sql``,
): Promise<readonly Row<Table>[]> {
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)} set ${assignmentsOf(changes)} where ${conditionsOf(match)} ${extraSql} returning *`.execute(
    db,
  );
  return rows;
}

/** Locks rows until the end of the transaction, by an update without changes. @returns the locked rows */
export function lockRows<Table extends Name>(
  transaction: Transaction<Tables>,
  table: Table,
  match: RowMatch<Table>,
  extraSql?: RawBuilder<unknown>,
): Promise<readonly Row<Table>[]> {
  const { columns, key } = TABLES[table];
  const column = Object.keys(columns).findLast((name) => !key.includes(name)) ?? "";
  const unchanged: object = { [column]: sql.ref(column) };
  return changeRows(transaction, table, match, unchanged, extraSql);
}

/** Deletes rows. @returns how many */
export async function deleteRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  extraSql: RawBuilder<unknown> = sql``,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${conditionsOf(match)} ${extraSql}`.execute(db);
  return Number(numAffectedRows);
}

/** Deletes rows. @returns the rows that were deleted */
export async function takeRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  extraSql: RawBuilder<unknown> = sql``,
): Promise<readonly Row<Table>[]> {
  const { rows } = await sql<Row<Table>>`
    delete from ${sql.table(table)} where ${conditionsOf(match)} ${extraSql} returning *`.execute(db);
  return rows;
}

/**
 * Inserts a row, or updates the one with its primary key.
 * @param changes the columns to update in an existing row; without them it is not changed
 * @param condition limits which rows are updated, such as ``sql`where …` ``
 * @returns whether a row was inserted or updated
 */
export async function upsertRow<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  row: Insertable<Tables[Table]>,
  changes?: RowChanges<Table>,
  condition: RawBuilder<unknown> = sql``,
): Promise<boolean> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const key = sql.join(TABLES[table].key.map((column) => sql.ref(column)));
  const change =
    changes === undefined ? sql`nothing` : sql`update set ${assignmentsOf(changes)} ${condition}`;
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})
    on conflict (${key}) do ${change}`.execute(db);
  return Number(numAffectedRows) === 1;
}

export function countRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: RowMatch<Table>,
  extraSql: RawBuilder<unknown> = sql``,
): Promise<number> {
  return countOf(db, sql`select 1 from ${sql.table(table)} where ${conditionsOf(match)} ${extraSql}`);
}

/** The number of rows of a query. */
export async function countOf(db: Kysely<Tables>, rows: RawBuilder<unknown>): Promise<number> {
  const counted = await sql<{ count: number }>`select count(*) as count from (${rows}) as counted`.execute(
    db,
  );
  return counted.rows[0]?.count ?? 0;
}

/** The texts in a JSON list written by this program. */
export function textsIn(json: string): readonly string[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** A list of values in parentheses, for `in`; not empty. */
export function listOf(values: readonly unknown[]): RawBuilder<unknown> {
  return sql`(${sql.join(values)})`;
}

function conditionsOf(match: object): RawBuilder<unknown> {
  const conditions = Object.entries(match).map(([column, value]) => {
    if (value === null) return sql`${sql.ref(column)} is null`;
    if (!Array.isArray(value)) return sql`${sql.ref(column)} = ${value}`;
    return value.length === 0 ? sql`false` : sql`${sql.ref(column)} in ${listOf(value)}`;
  });
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function assignmentsOf(changes: object): RawBuilder<unknown> {
  return sql.join(Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}

/**
 * Whether the database is PostgreSQL, which locks rows, can write two tables in one statement, and orders text by a
 * locale.
 */
export function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** For the end of a query for rows to delete or change: skips rows locked by another session. */
export function skipLocked(db: Kysely<Tables>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`for update skip locked` : sql``;
}

/** Objects as the rows of a table, in one parameter. @param columns names and types, see `columnsOf` */
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
