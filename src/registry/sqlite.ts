import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** A prepared query whose rows are arrays, which cost half as much as objects. */
export interface SqlQuery<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Reads rows on demand. A second iteration ends the first. */
  iterate(...values: SQLInputValue[]): IterableIterator<Row>;
}

/** @typeParam Row the columns of `sql` in order */
export function prepareSql<Row extends readonly SQLOutputValue[]>(
  db: DatabaseSync,
  sql: string,
): SqlQuery<Row> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  const typed = (value: unknown) => value as Row;
  const typedRows = (value: unknown) => value as IterableIterator<Row>;
  return {
    get: (...values) => typed(statement.get(...values)),
    all: (...values) => statement.all(...values).map(typed),
    iterate: (...values) => typedRows(statement.iterate(...values)),
  };
}

/** Opens a finished layer for reading. @throws when it is no database, or its schema contains code */
export function openReadOnly(path: string): DatabaseSync {
  const db = new DatabaseSync(immutableUrl(path), { readOnly: true });
  try {
    refuseExecutableSchema(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** As `PRAGMA table_xinfo` numbers them: computed when a row is read, and computed when it is written. */
const GENERATED = "(2, 3)";

/**
 * Rejects a file whose schema contains code: a view instead of a table, or a computed column, could run for any length
 * of time.
 * @throws when the schema has one
 */
function refuseExecutableSchema(db: DatabaseSync): void {
  const [name] =
    prepareSql<[string]>(
      db,
      `SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index')
       UNION ALL
       SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type IN ('view', 'virtual')
       UNION ALL
       SELECT t.name FROM pragma_table_list t, pragma_table_xinfo(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND c.hidden IN ${GENERATED} LIMIT 1`,
    ).get() ?? [];
  if (name !== undefined) throw new Error(`its schema contains code (${JSON.stringify(name)})`);
}

/** The SQLite URI of a finished layer. The file is immutable, so it needs neither locks nor a journal. */
export function immutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.search = "?mode=ro&immutable=1";
  return url;
}

interface CurrentRowsOptions {
  /** SQL before the table in FROM, such as a join. */
  readonly from?: string;
  readonly where: string;
  readonly layers?: readonly ("delta" | "base")[];
}

/**
 * Returns a query for the current rows of the snapshot whose layers are attached as `base` and `delta`: the rows of the
 * delta, and those of the base that the delta does not replace. `h` is the alias of the table in `columns` and `where`.
 */
export function currentRows(
  table: "company" | "facts",
  columns: string,
  { from = "", where, layers = ["delta", "base"] }: CurrentRowsOptions,
): string {
  const isCurrent = {
    delta: "",
    base: "AND NOT EXISTS (SELECT 1 FROM delta.company d WHERE d.kvk = h.kvk)",
  };
  return layers
    .map((layer) => `SELECT ${columns} FROM ${from} ${layer}.${table} h WHERE ${where} ${isCurrent[layer]}`)
    .join(" UNION ALL ");
}
