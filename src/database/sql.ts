/** The differences between both databases, so that the SQL of charges is written only once. */

export interface Dialect {
  /** The parameter at this place, counted from 1. */
  parameter(place: number): string;
  /**
   * The objects of a JSON list as the rows of a table.
   * @param columns names and types, as in `id text, account_id text`; properties of the objects have the same names in camel case
   */
  list(place: number, table: string, columns: string): string;
  /** Whether a column is one of the texts of a JSON list. */
  isIn(column: string, place: number): string;
  /** Locks the rows of a query until the transaction ends, in the order of the query. SQLite locks the whole file instead. */
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
  // An array makes the planner look rows up by index, however small the table was when it planned.
  isIn: (column, place) => `${column} = any(array(select jsonb_array_elements_text($${place}::jsonb)))`,
  lock: (tables, whenLocked) =>
    `for no key update of ${tables}${whenLocked === "skip" ? " skip locked" : ""}`,
};

function parseColumns(columns: string) {
  return columns.split(", ").map((column) => {
    const [name = "", type = ""] = column.split(" ");
    return { name, type, property: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) };
  });
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
 * @param columns names and types, see {@link Dialect.list}
 * @param onConflict for a row that already exists
 */
export function insertion(name: string, table: string, columns: string, onConflict = ""): Statement<never> {
  const names = namesOf(columns);
  return statement(
    name,
    ({ list }) =>
      `insert into ${table} (${names.join(", ")}) select ${names.map((column) => `w.${column}`).join(", ")}
       from ${list(1, "w", columns)} where true ${onConflict}`,
  );
}

/**
 * A statement that updates a row for each object of a list.
 * @param key names and types of the columns that identify the row
 * @param columns those of the columns to set
 */
export function update(name: string, table: string, key: string, columns: string): Statement<never> {
  const is = (column: string) => `${table}.${column} = w.${column}`;
  return statement(
    name,
    ({ list }) =>
      `update ${table} set ${namesOf(columns)
        .map((column) => `${column} = w.${column}`)
        .join(", ")} from ${list(1, "w", `${key}, ${columns}`)} where ${namesOf(key).map(is).join(" and ")}`,
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

function namesOf(columns: string): readonly string[] {
  return parseColumns(columns).map(({ name }) => name);
}

export type Value = string | number | null;

/** A statement with the values of its parameters. */
export interface Query<Row = never> {
  readonly statement: Statement<Row>;
  readonly values: readonly Value[];
}

/** @param list the first parameter: texts, or objects with the properties that the statement reads and maybe more */
export function query<Row>(
  sqlStatement: Statement<Row>,
  list: readonly (string | object)[],
  ...values: readonly Value[]
): Query<Row> {
  return { statement: sqlStatement, values: [JSON.stringify(list), ...values] };
}
