import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Tables } from "../tables.ts";

/** What Kysely says when a transaction failed. */
const ROLLBACK = "rollback";
/** SQLite rolls back by itself where a disk is full, for one; the error that made it do so is the one to tell. */
const NOTHING_DONE = { changes: 0, lastInsertRowid: 0 };

/** Kysely over Node's own SQLite, which has no dialect of its own there. */
export function kyselyOver(database: DatabaseSync): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare(sql) {
          const statement = database.prepare(sql);
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...asInputs(parameters)),
            run: (parameters) =>
              sql === ROLLBACK && !database.isTransaction
                ? NOTHING_DONE
                : statement.run(...asInputs(parameters)),
            iterate: (parameters) => statement.iterate(...asInputs(parameters)),
          };
        },
      },
    }),
  });
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
