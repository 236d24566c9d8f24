/** Statements on rows of one table that equal given values, for the queries that need no more. */
import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { PRIMARY_KEYS } from "../schema/keys.ts";
import type { Tables } from "../schema/tables.ts";

type Name = keyof Tables;
type Match<Table extends Name> = Partial<Selectable<Tables[Table]>>;

/** @param more what follows the conditions: further ones that begin with `and`, an order, a limit */
export async function findRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: Match<Table>,
  more: RawBuilder<unknown> = sql``,
): Promise<readonly Selectable<Tables[Table]>[]> {
  const { rows } = await sql<Selectable<Tables[Table]>>`
    select * from ${sql.table(table)} where ${equal(match)} ${more}`.execute(db);
  return rows;
}

export async function findRow<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: Match<Table>,
  more?: RawBuilder<unknown>,
): Promise<Selectable<Tables[Table]> | undefined> {
  const [row] = await findRows(db, table, match, more);
  return row;
}

/** @returns how many rows were updated */
export async function updateRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: Match<Table>,
  changes: { readonly [Column in keyof Match<Table>]: Match<Table>[Column] | RawBuilder<unknown> },
  more: RawBuilder<unknown> = sql``,
): Promise<number> {
  const set = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.join(set)} where ${equal(match)} ${more}`.execute(db);
  return Number(numAffectedRows);
}

/** @returns how many rows were deleted */
export async function deleteRows<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  match: Match<Table>,
  more: RawBuilder<unknown> = sql``,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${equal(match)} ${more}`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Inserts a row, or changes the one with its primary key.
 * @param changes the columns to set in a row that is there; it stays as it is when they are left out
 * @param condition which rows are changed, such as ``sql`where …` ``
 * @returns whether a row was inserted or changed
 */
export async function upsertRow<Table extends Name>(
  db: Kysely<Tables>,
  table: Table,
  row: Insertable<Tables[Table]>,
  changes?: Match<Table>,
  condition: RawBuilder<unknown> = sql``,
): Promise<boolean> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const set = Object.entries(changes ?? {}).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const key = sql.join(PRIMARY_KEYS[table].map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})
    on conflict (${key}) do ${set.length === 0 ? sql`nothing` : sql`update set ${sql.join(set)} ${condition}`}`.execute(
    db,
  );
  return Number(numAffectedRows) === 1;
}

/** How many rows a query has. */
export async function countOf(db: Kysely<Tables>, rows: RawBuilder<unknown>): Promise<number> {
  const counted = await sql<{ count: number }>`select count(*) as count from (${rows}) as counted`.execute(
    db,
  );
  return Number(counted.rows[0]?.count ?? 0);
}

function equal(match: object): RawBuilder<unknown> {
  const conditions = Object.entries(match).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  );
  return sql.join(conditions, sql` and `);
}
