import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import { StoreUnavailable } from "../../metering/store.ts";
import type { Tables } from "../tables.ts";

const ROLLBACK = "rollback";
/** SQLite rolls back by itself in some cases, such as a full disk. The error that caused it is the one to report. */
const NOTHING_DONE = { changes: 0, lastInsertRowid: 0 };

/**
 * Kysely over Node's SQLite. Its statements and transactions run one after the other; `db.connection()` waits for its turn like they do.
 * @param asError the error to throw for one of SQLite
 */
export function kyselyOver(
  database: DatabaseSync,
  asError: (error: unknown) => unknown = (error) => error,
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare: (sql) =>
          throwing(asError, () => {
            const statement = database.prepare(sql);
            return {
              reader: statement.columns().length > 0,
              all: (parameters) => throwing(asError, () => statement.all(...asInputs(parameters))),
              run: (parameters) =>
                throwing(asError, () =>
                  sql === ROLLBACK && !database.isTransaction
                    ? NOTHING_DONE
                    : statement.run(...asInputs(parameters)),
                ),
              iterate: (parameters) => statement.iterate(...asInputs(parameters)),
            };
          }),
      },
    }),
  });
}

function throwing<T>(asError: (error: unknown) => unknown, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asError(error);
  }
}

function asInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (
      value === null ||
      typeof value === "string" ||
      typeof value === "number" ||
      typeof value === "bigint"
    ) {
      return value;
    }
    throw new TypeError(`SQLite stores no ${typeof value}`);
  });
}

/** The remedy for an operator, by SQLite's primary result codes (sqlite.org/rescode.html). */
const REMEDIES = new Map([
  [5, "another process is writing to it, try again"],
  [8, "make its file and folder writable"],
  [10, "check its disk"],
  [11, "stop the service and restore its file from a backup"],
  [13, "make room on its disk"],
  [26, "stop the service and restore its file from a backup"],
]);

/** An error of SQLite as callers of the state see it; any other error is returned as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  // A closed database.
  if (error.code === "ERR_INVALID_STATE") return new StoreUnavailable("it is closed");
  if (error.code !== "ERR_SQLITE_ERROR") return error;
  const resultCode = "errcode" in error ? Number(error.errcode) & 0xff : 0;
  const remedy = REMEDIES.get(resultCode);
  return new StoreUnavailable(remedy === undefined ? error.message : `${error.message}; ${remedy}`, error);
}
