/** What is kept no longer goes some rows at a time: after a standstill there may be days of it, and whoever waits for the store is let in between. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { isPostgres } from "./isPostgres.ts";

/** So many rows are deleted or changed by one statement at most: some milliseconds of the state. */
export const ROWS_IN_A_STEP = 500;

/** Rows of a table that are over. */
export interface Swept<Name extends keyof Tables = keyof Tables> {
  readonly table: Name;
  /** The columns of its primary key. */
  readonly key: readonly (keyof Tables[Name] & string)[];
  readonly isOver: RawBuilder<SqlBool>;
  /** The column by which the oldest go first; without one they go as they are found. */
  readonly age?: keyof Tables[Name] & string;
}

/** The key is of the table that is named: the type sees to it. */
export function swept<Name extends keyof Tables>(
  table: Name,
  key: Swept<Name>["key"],
  isOver: RawBuilder<SqlBool>,
  age?: keyof Tables[Name] & string,
): Swept {
  return { table, key: key as Swept["key"], isOver, ...(age && { age: age as Required<Swept>["age"] }) };
}

/**
 * Deletes {@link ROWS_IN_A_STEP} rows, of one table after the other.
 * @returns how many more would have had room
 */
export async function deleteStep(db: Kysely<Tables>, all: readonly Swept[]): Promise<number> {
  let room: number = ROWS_IN_A_STEP;
  for (const rows of all) {
    room -= await changeSome(db, {
      rows,
      change: sql`delete from ${sql.table(rows.table)}`,
      most: room,
    });
    if (room <= 0) return 0;
  }
  return room;
}

/** What is done to rows of a table: a statement up to its condition, and to how many at most. */
export interface Change {
  readonly rows: Swept;
  readonly change: RawBuilder<unknown>;
  readonly most: number;
}

/** @returns how many rows were changed */
export async function changeSome(
  db: Kysely<Tables>,
  { rows: { table, key, isOver, age }, change, most }: Change,
): Promise<number> {
  const name = sql.table(table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const some = sql`where ${isOver} ${age === undefined ? sql`` : sql`order by ${sql.ref(age)}`} limit ${most}`;
  // PostgreSQL looks for them once: in a plan of nested loops a subquery would find more with each row that is gone, beyond its limit.
  // SQLite has a column that alone names a row: of several it would try every pair.
  const statement = isPostgres(db)
    ? sql`
        with over as materialized (
          select ${columns} from ${name} ${some} for update skip locked
        )
        ${change} where (${columns}) in (select ${columns} from over)`
    : sql`${change} where rowid in (select rowid from ${name} ${some})`;
  const { numAffectedRows } = await statement.execute(db);
  return Number(numAffectedRows ?? 0);
}
