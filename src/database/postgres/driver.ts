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
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import type { ObservedCalls } from "../observedCalls.ts";
import type { Tables } from "../schema/tables.ts";
import { asStoreError, endsConnection } from "./failures.ts";

/** How long after the first attempt a read-only query is retried on a new connection. */
const READ_RETRY_MS = 1_500;
const READS = /^\s*select\b/i;

/** Whether a statement may be sent twice because it only reads. One that begins with `with` may write. */
export function onlyReads(text: string): boolean {
  return READS.test(text);
}

/** The maximum number of queries and transactions that wait for a connection of the pool. */
export const MAX_WAITING = 256;
const COUNTED = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/**
 * Kysely for the state. Database errors are thrown as StoreUnavailable or ValueRefused. A read-only query outside a
 * transaction is sent again if its connection breaks, because the server may have closed idle ones. While {@link
 * MAX_WAITING} callers wait for a connection, more are refused.
 */
export function stateKysely(pool: Pool, isClosed: () => boolean, calls: ObservedCalls): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new StateDriver(pool, isClosed, calls),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

class StateDriver implements Driver {
  readonly #pool: Pool;
  readonly #isClosed: () => boolean;
  readonly #calls: ObservedCalls;

  constructor(pool: Pool, isClosed: () => boolean, calls: ObservedCalls) {
    this.#pool = pool;
    this.#isClosed = isClosed;
    this.#calls = calls;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StateConnection> {
    if (this.#isClosed()) throw new StoreUnavailable("it is closed");
    return new StateConnection(this.#pool, this.#calls);
  }

  async beginTransaction(connection: StateConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: StateConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: StateConnection): Promise<void> {
    await connection.rollBack();
  }

  async releaseConnection(connection: StateConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {}
}

/** Uses a connection of the pool for each query, or one for a transaction. */
class StateConnection implements DatabaseConnection {
  readonly #pool: Pool;
  readonly #calls: ObservedCalls;
  #client: PoolClient | undefined;
  #isBroken = false;

  constructor(pool: Pool, calls: ObservedCalls) {
    this.#pool = pool;
    this.#calls = calls;
  }

  async begin(): Promise<void> {
    this.#client = await this.#calls.observe(this.#connect());
    await this.executeQuery(CompiledQuery.raw("begin"));
  }

  async commit(): Promise<void> {
    const { command } = await this.#calls.observe(this.#query("commit", []));
    // After a failed statement the server answers a commit with ROLLBACK.
    if (command === "ROLLBACK") throw new AbortedTransactionError();
  }

  /** Ignores its own failure, because the original error is reported. */
  async rollBack(): Promise<void> {
    await this.#query("rollback", []).catch(() => {});
  }

  release(): void {
    this.#client?.release(this.#isBroken);
    this.#client = undefined;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#calls.observe(this.#query(sql, parameters));
    return { rows, ...(COUNTED.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming rows is not supported");
  }

  async #connect(): Promise<PoolClient> {
    this.#refuseBeyondBound();
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** Later callers would time out. */
  #refuseBeyondBound(): void {
    if (this.#pool.waitingCount >= MAX_WAITING) {
      throw new StoreUnavailable("too many queries are waiting for a database connection");
    }
  }

  async #query(sql: string, parameters: readonly unknown[]) {
    if (this.#client === undefined) this.#refuseBeyondBound();
    const sinceMs = performance.now();
    const run = () => (this.#client ?? this.#pool).query(sql, [...parameters]);
    try {
      return await run().catch((error: unknown) => {
        const mayRepeat = this.#client === undefined && onlyReads(sql) && endsConnection(error);
        if (!mayRepeat || performance.now() - sinceMs > READ_RETRY_MS) throw error;
        return run();
      });
    } catch (error) {
      this.#isBroken ||= endsConnection(error);
      throw error instanceof TypeError || error instanceof RangeError ? error : asStoreError(error);
    }
  }
}
