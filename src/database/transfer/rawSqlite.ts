import { DatabaseSync, type StatementSync } from "node:sqlite";
import { TABLES } from "../schema/tables.ts";
import { StateRefused } from "../stateErrors.ts";
import { asRow, type RawAccess, type RawRow, type RawState, rowsAtOnce } from "./rawState.ts";

/**
 * The rows of an embedded state, which must be up to date.
 * @throws {StateRefused} if exclusive access is requested and another process has it open
 */
export function openRawSqlite(path: string, access: RawAccess): RawState {
  const database = new DatabaseSync(path);
  try {
    // With WAL the exclusive mode fails while another process has the file open, and readers block no one
    // (sqlite.org/wal.html, sections 2.2 and 8).
    database.exec(
      access === "exclusive"
        ? "pragma locking_mode = exclusive; pragma synchronous = full; begin exclusive"
        : "pragma query_only = on; begin",
    );
  } catch (error) {
    database.close();
    throw new StateRefused(`the state file ${path} is in use: stop the service and try again`, error);
  }
  return {
    async *rowsOf(table) {
      // SQLite compares text by bytes, which is the order of code points.
      const select = `select * from ${table} order by ${TABLES[table].key.join(", ")}`;
      yield* inGroups(database.prepare(select), rowsAtOnce(table));
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

function* inGroups(statement: StatementSync, maxRows: number): Generator<RawRow[]> {
  let group: RawRow[] = [];
  for (const row of statement.iterate()) {
    if (group.push(asRow(row)) < maxRows) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
