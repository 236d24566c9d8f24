/** The differences between both databases, so that the SQL of charges is written only once. */
import { propertyOf } from "./schema/table.ts";
import { TABLES, type Tables } from "./schema/tables.ts";

export interface Dialect {
  /** The parameter at this place, counted from 1. */
  parameter(place: number): string;
  /**
   * The objects of a JSON list as the rows of a table.
   * @param columns names and types, as in `id text, account_id text`; the objects have the same names in camel case, or
   * the name that follows the type. See {@link columnsOf}
   */
  list(place: number, table: string, columns: string): string;
  /** Whether a column is one of the texts of a JSON list. */
  isIn(column: string, place: number): string;
  /**
   * Locks the rows of a query until the transaction ends, in the order of the query. SQLite locks the whole file
   * instead.
   */
  lock(tables: string, whenLocked: LockedRows): string;
}

/** Whether to omit a row that another transaction has locked, or to wait for it. */
export type LockedRows = "skip" | "wait";

export const SQLITE: Dialect = {
  parameter: (place) => `?${place}`,
  list(place, table, columns) {
    const selected = parseColumns(columns).map(({ name, property }) => `value->>'${property}' as ${name}`);
    return `(select ${selected.join(", ")} from json_each(?${place})) as ${table}`;
  },
  isIn: (column, place) => `${column} in (select value from json_each(?${place}))`,
  lock: () => "",
};

export const POSTGRES: Dialect = {
  parameter: (place) => `$${place}`,
  list(place, table, columns) {
    const all = parseColumns(columns);
    const selected = all.map(({ name, property }) => `"${property}" as ${name}`);
    const typed = all.map(({ property, type }) => `"${property}" ${type}`);
    return `(select ${selected.join(", ")} from jsonb_to_recordset($${place}::jsonb) as r (${typed.join(", ")})) as ${table}`;
  },
  // An array makes the planner find rows by index, however small the table was when it planned.
  isIn: (column, place) => `${column} = any(array(select jsonb_array_elements_text($${place}::jsonb)))`,
  lock: (tables, whenLocked) =>
    `for no key update of ${tables}${whenLocked === "skip" ? " skip locked" : ""}`,
};

function parseColumns(columns: string) {
  return columns.split(", ").map((column) => {
    const [name = "", type = "", property = propertyOf(name)] = column.split(" ");
    return { name, type, property };
  });
}

type ColumnName<Name extends keyof Tables> = keyof Tables[Name] & string;

/** Columns of a table for {@link Dialect.list}; by default all. */
export function columnsOf<Name extends keyof Tables>(
  table: Name,
  ...names: readonly ColumnName<Name>[]
): string {
  return listed(table, names);
}

function listed(table: keyof Tables, names: readonly string[]): string {
  return Object.entries(TABLES[table].columns)
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([name, column]) => `${name} ${column.type} ${propertyOf(name, column)}`)
    .join(", ");
}

/** A statement that is prepared once per connection. */
export interface Statement<Row> {
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
  /** Only carries the type of its rows. */
  readonly row?: Row;
}

export function statement<Row = never>(name: string, text: (dialect: Dialect) => string): Statement<Row> {
  return { name: `opzoek_${name}`, sqlite: text(SQLITE), postgres: text(POSTGRES) };
}

/**
 * A statement that inserts the objects of a list, whose properties are named like the columns.
 * @param onConflict for a row that already exists
 * @param names the columns to fill; by default all
 */
export function insertion<Name extends keyof Tables>(
  name: string,
  table: Name,
  onConflict = "",
  ...names: readonly ColumnName<Name>[]
): Statement<never> {
  const columns = columnsOf(table, ...names);
  const filled = parseColumns(columns).map((column) => column.name);
  return statement(
    name,
    ({ list }) =>
      `insert into ${table} (${filled.join(", ")}) select ${filled.map((column) => `w.${column}`).join(", ")}
       from ${list(1, "w", columns)} where true ${onConflict}`,
  );
}

/**
 * A statement that updates the row with the primary key of each object of a list.
 * @param names the columns to set
 */
export function update<Name extends keyof Tables>(
  name: string,
  table: Name,
  ...names: readonly ColumnName<Name>[]
): Statement<never> {
  const { key } = TABLES[table];
  const set = names.map((column) => `${column} = w.${column}`).join(", ");
  const is = key.map((column) => `${table}.${column} = w.${column}`).join(" and ");
  return statement(
    name,
    ({ list }) =>
      `update ${table} set ${set} from ${list(1, "w", listed(table, [...key, ...names]))} where ${is}`,
  );
}

/** The assignments of an upsert that replaces these columns. */
export function replacing(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(", ");
}

/** The assignments of an upsert that adds to these columns. */
export function adding(table: string, ...columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(", ");
}

export type Value = string | number | null;

/** A statement with the values of its parameters. */
export interface Query<Row = never> {
  readonly statement: Statement<Row>;
  readonly values: readonly Value[];
}

/** @param list the first parameter: texts, or objects with at least the properties that the statement reads */
export function query<Row>(
  sqlStatement: Statement<Row>,
  list: readonly (string | object)[],
  ...values: readonly Value[]
): Query<Row> {
  return { statement: sqlStatement, values: [JSON.stringify(list), ...values] };
}
