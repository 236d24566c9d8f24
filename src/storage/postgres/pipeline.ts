import type { Pool, PoolClient } from "pg";
import type { TransactionEnd } from "./commitOutcome.ts";
import { endsConnection } from "./failures.ts";

/** A transaction that takes longer may run by a plan that was made when the tables were small. */
const SLOW_MS = 20;
/** Planning anew costs some milliseconds: a slow disk or a locked account must not have it done all the time. */
const PLANS_KEPT_MS = 1_000;

/**
 * The rows of a batch are looked up by index, or an index is read as a whole where there were few when it was planned; and planning anew
 * each time cost more than running.
 */
const BY_INDEX = [
  "set plan_cache_mode = force_generic_plan",
  "set enable_seqscan = off",
  "set enable_hashjoin = off",
  "set enable_mergejoin = off",
].join("; ");

/**
 * Pipelining of transactions: one after the other on a connection of their own, where the first statements of the next one leave
 * together with the last ones of the one before. While many wait, a batch costs one round trip instead of two.
 */
export class TransactionPipeline {
  readonly #pool: Pool;
  #client: Promise<PoolClient> | undefined;
  #plannedMs = Number.NEGATIVE_INFINITY;
  #isStale = false;
  /** Fulfilled when the transaction before has sent its end. */
  #turn: Promise<void> = Promise.resolve();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Runs one when the one before has sent its end.
   * @param transaction says when it has sent its own
   * @throws what the pool fails with when there is no connection to be had
   */
  async run<Result>(
    transaction: (client: PoolClient, onSent: () => void) => Promise<TransactionEnd<Result>>,
  ): Promise<TransactionEnd<Result>> {
    const before = this.#turn;
    const { promise, resolve: onSent } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      const connecting = this.#connect();
      const client = await connecting;
      this.#discardPlans(client);
      const startedMs = performance.now();
      const ended = await transaction(client, onSent);
      if (performance.now() - startedMs > SLOW_MS) this.planAnew();
      if (ended.kind === "unknown" || (ended.kind === "failed" && endsConnection(ended.error))) {
        await this.#drop(connecting);
      }
      return ended;
    } finally {
      onSent();
    }
  }

  /**
   * Has the statements planned anew before the next transaction, for the tables as they are then: the database does it by itself only when it next
   * gathers statistics, which can be a minute after they have become a thousand times as many.
   */
  planAnew(): void {
    this.#isStale = true;
  }

  /** Gives the connection back, when nothing runs on it any more. */
  async close(): Promise<void> {
    await this.#turn;
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) (await client.catch(() => undefined))?.release();
  }

  #connect(): Promise<PoolClient> {
    this.#client ??= this.#prepared().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #prepared(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    // Not waited for: it leaves ahead of the first batch, which fails and is tried again when the connection is gone.
    client.query(BY_INDEX).catch(() => {});
    return client;
  }

  #discardPlans(client: PoolClient): void {
    const nowMs = performance.now();
    if (!this.#isStale || nowMs - this.#plannedMs < PLANS_KEPT_MS) return;
    this.#isStale = false;
    this.#plannedMs = nowMs;
    // Between two transactions: the one before has sent its end, the next one nothing yet.
    client.query("discard plans").catch(() => {});
  }

  /** Ends a connection that is of no more use; the next transaction gets another. */
  async #drop(client: Promise<PoolClient>): Promise<void> {
    if (this.#client !== client) return;
    this.#client = undefined;
    (await client).release(true);
  }
}
