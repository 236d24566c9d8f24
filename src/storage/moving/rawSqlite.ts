import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StateRefused } from "../stateStore.ts";
import { asRow, type RawState, ROWS_AT_ONCE, type Row } from "./rawState.ts";
import { MOVED_TABLES } from "./tables.ts";

/**
 * The rows of an embedded state, which must be up to date.
 * @throws {StateRefused} when another process has it open
 */
export function openRawSqlite(path: string): RawState {
  const database = new DatabaseSync(path);
  try {
    // With WAL that fails as long as anybody else has the file open, at work or not (sqlite.org/wal.html, section 8).
    database.exec("pragma locking_mode = exclusive; pragma synchronous = full; begin exclusive");
  } catch (error) {
    database.close();
    throw new StateRefused(`the state file ${path} is in use: stop the service and try again`, error);
  }
  return {
    async *rowsOf(table) {
      // Text is compared by its bytes here, which is the order of code points.
      const select = `select * from ${table} order by ${MOVED_TABLES[table].join(", ")}`;
      yield* inGroups(database.prepare(select));
    },
    async add(table, rows) {
      const columns = Object.keys(rows[0] ?? {});
      const places = columns.map(() => "?").join(", ");
      const insert = database.prepare(`insert into ${table} (${columns.join(", ")}) values (${places})`);
      for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
    },
    async commit() {
      database.exec("commit");
    },
    async close() {
      database.close();
    },
  };
}

function* inGroups(statement: StatementSync): Generator<Row[]> {
  let group: Row[] = [];
  for (const row of statement.iterate()) {
    if (group.push(asRow(row)) < ROWS_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
