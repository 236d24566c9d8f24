import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import { StoreUnavailable } from "../../metering/store.ts";
import type { Tables } from "../tables.ts";
import { asStoreError, endsConnection } from "./failures.ts";

/** A query that only reads is repeated on a new connection until this long after it was first sent. */
const READ_AGAIN_WITHIN_MS = 1_500;
const READS = /^\s*select\b/i;

/** Whether a statement may be sent twice: it only reads. One that begins with `with` may write. */
export function onlyReads(text: string): boolean {
  return READS.test(text);
}

const COUNTED = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/**
 * Kysely for the state. Everything the database fails with is thrown as a StoreUnavailable or a ValueRefused. A query that only
 * reads, outside a transaction, is sent once more when its connection breaks: the server may have ended idle ones.
 */
export function stateKysely(pool: Pool, isClosed: () => boolean): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new StateDriver(pool, isClosed),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

class StateDriver implements Driver {
  readonly #pool: Pool;
  readonly #isClosed: () => boolean;

  constructor(pool: Pool, isClosed: () => boolean) {
    this.#pool = pool;
    this.#isClosed = isClosed;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StateConnection> {
    if (this.#isClosed()) throw new StoreUnavailable("it is closed");
    return new StateConnection(this.#pool);
  }

  async beginTransaction(connection: StateConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: StateConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: StateConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: StateConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {}
}

/** Takes a connection from the pool for each query, or one for a transaction. */
class StateConnection implements DatabaseConnection {
  readonly #pool: Pool;
  #client: PoolClient | undefined;
  #isBroken = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async begin(): Promise<void> {
    try {
      this.#client = await this.#pool.connect();
    } catch (error) {
      throw asStoreError(error);
    }
    await this.executeQuery(CompiledQuery.raw("begin"));
  }

  async commit(): Promise<void> {
    const { command } = await this.#query("commit", []);
    // A statement that failed makes the server answer a commit with ROLLBACK.
    if (command === "ROLLBACK") throw new AbortedTransactionError();
  }

  release(): void {
    this.#client?.release(this.#isBroken);
    this.#client = undefined;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#query(sql, parameters);
    return { rows, ...(COUNTED.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("rows are not streamed");
  }

  async #query(sql: string, parameters: readonly unknown[]) {
    const sinceMs = performance.now();
    const run = () => (this.#client ?? this.#pool).query(sql, [...parameters]);
    try {
      return await run().catch((error: unknown) => {
        const mayRepeat = this.#client === undefined && onlyReads(sql) && endsConnection(error);
        if (!mayRepeat || performance.now() - sinceMs > READ_AGAIN_WITHIN_MS) throw error;
        return run();
      });
    } catch (error) {
      this.#isBroken ||= endsConnection(error);
      throw error instanceof TypeError || error instanceof RangeError ? error : asStoreError(error);
    }
  }
}
