import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import type { Tables } from "../schema/tables.ts";

export interface SqlRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The number of the connection, for a statement of a transaction. */
  readonly transaction?: number;
}

export interface SqlResult {
  readonly rows: readonly unknown[];
  /** The number of changed rows; absent for a statement that returns rows. */
  readonly changes?: number | bigint;
}

type RunSql = (request: SqlRequest) => Promise<SqlResult>;

export const BEGIN = "begin immediate";
const ROLLBACK = "rollback";

/** Kysely over SQLite. `run` must keep other statements out of a transaction. */
export function sqliteKysely(run: RunSql): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new ConcurrentAdapter(),
      createDriver: () => new SqliteDriver(run),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Kysely over a file that only the caller uses. Errors are SQLite's own. */
export function kyselyOverSqlite(database: DatabaseSync): Kysely<Tables> {
  return sqliteKysely(async (request) => runSql(database, request));
}

/** Statements need not wait for each other here, because `run` keeps transactions apart. */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #run: RunSql;
  #connections = 0;

  constructor(run: RunSql) {
    this.#run = run;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    this.#connections += 1;
    return new SqliteConnection(this.#run, this.#connections);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    connection.isInTransaction = true;
    await connection.executeQuery(CompiledQuery.raw(BEGIN));
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(ROLLBACK));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class SqliteConnection implements DatabaseConnection {
  isInTransaction = false;
  readonly #run: RunSql;
  readonly #id: number;

  constructor(run: RunSql, id: number) {
    this.#run = run;
    this.#id = id;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const request = { sql, parameters, ...(this.isInTransaction && { transaction: this.#id }) };
    const { rows, changes } = await this.#run(request);
    return { rows: rows as R[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming rows is not supported");
  }
}

export function runSql(database: DatabaseSync, { sql, parameters }: SqlRequest): SqlResult {
  // SQLite rolls back by itself in some cases, such as a full disk. The error that caused it is the one to report.
  if (sql === ROLLBACK && !database.isTransaction) return { rows: [], changes: 0 };
  const statement = database.prepare(sql);
  const inputs = parameters.map(asInput);
  if (statement.columns().length > 0) return { rows: statement.all(...inputs) };
  return { rows: [], changes: statement.run(...inputs).changes };
}

function asInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
}

/** The remedy for an operator, by SQLite's primary result codes (sqlite.org/rescode.html). */
const REMEDIES = new Map([
  [5, "another process is writing to it, try again"],
  [8, "make its file and folder writable"],
  [10, "check its disk"],
  [11, "stop the service and restore its file from a backup"],
  [13, "free some space on its disk"],
  [26, "stop the service and restore its file from a backup"],
]);

/** Whether another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

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
