/**
 * Deletes old rows in steps, so that other users of the store do not wait. After a downtime there may be days of them.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "./rows.ts";
import { largeRowsOf, type SteppedTable, TABLES, type Tables } from "./schema/tables.ts";

/** The maximum number of rows that one statement deletes or changes: some milliseconds. */
export const ROWS_PER_STEP = 500;

/** Rows of a table to delete. */
export interface ExpiredRows {
  readonly table: keyof Tables;
  readonly isDue: RawBuilder<SqlBool>;
  /** The column that orders them, oldest first; unordered if absent. */
  readonly age?: string;
}

/**
 * Deletes up to {@link ROWS_PER_STEP} rows, table by table.
 * @returns how many fewer than that it deleted; 0 if there may be more
 */
export async function deleteStep(db: Kysely<Tables>, all: readonly ExpiredRows[]): Promise<number> {
  let unusedRows: number = ROWS_PER_STEP;
  for (const rows of all) {
    unusedRows -= await changeSome(db, rows, unusedRows);
    if (unusedRows <= 0) return 0;
  }
  return unusedRows;
}

/** Deletes some rows, or changes them by a statement without its condition. @returns the number of changed rows */
export async function changeSome(
  db: Kysely<Tables>,
  { table, isDue, age }: ExpiredRows,
  limit: number,
  change: RawBuilder<unknown> = sql`delete from ${sql.table(table)}`,
): Promise<number> {
  const name = sql.table(table);
  const columns = sql.join(TABLES[table].key.map((column) => sql.ref(column)));
  const selection = sql`where ${isDue} ${age === undefined ? sql`` : sql`order by ${sql.ref(age)}`} limit ${limit}`;
  // On PostgreSQL the rows are selected once: with nested loops a subquery would find more rows after each deletion,
  // beyond its limit. SQLite selects by rowid: with several columns it would try every pair.
  const statement = isPostgres(db)
    ? sql`
        with over as materialized (
          select ${columns} from ${name} ${selection} for update skip locked
        )
        ${change} where (${columns}) in (select ${columns} from over)`
    : sql`${change} where rowid in (select rowid from ${name} ${selection})`;
  const { numAffectedRows } = await statement.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The maximum rows and bytes that one step deletes, except for a single larger row: some milliseconds. */
export const STEP_BOUNDS = { rows: 200, bytes: 512 * 1024 } as const;

/**
 * Deletes some of the stored responses of an account, or of the rows of a list.
 * @returns whether there were any; false only if none are left
 */
export async function deleteSome(db: Kysely<Tables>, table: SteppedTable, id: string): Promise<boolean> {
  const { of, key, text } = largeRowsOf(table);
  // Selected by one column: with two, SQLite would try every pair.
  const { rows } = await sql`
    delete from ${sql.table(table)} where ${sql.ref(of)} = ${id} and ${sql.ref(key)} in (
      select ${sql.ref(key)} from (
        select ${sql.ref(key)}, bytes, sum(bytes) over (order by ${sql.ref(key)}) as bytes_so_far from (
          select ${sql.ref(key)}, octet_length(${sql.ref(text)}) as bytes from ${sql.table(table)}
          where ${sql.ref(of)} = ${id} limit ${STEP_BOUNDS.rows}
        ) as first_rows
      ) as summed where bytes_so_far - bytes < ${STEP_BOUNDS.bytes}
    ) returning ${sql.ref(key)}`.execute(db);
  if (rows.length > 0) return true;
  // Another node may have deleted these rows while this one waited, so there may be more.
  const remaining = await sql`
    select 1 from ${sql.table(table)} where ${sql.ref(of)} = ${id} limit 1`.execute(db);
  return remaining.rows.length > 0;
}
