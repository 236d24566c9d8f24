import type { Pool, PoolClient } from "pg";
import { endsConnection } from "./failures.ts";
import { type BatchWork, decideOn, type Ended } from "./transaction.ts";

/**
 * Transactions one after the other on a connection of their own. The next one's first statements leave together with the
 * last ones of the one before: while many wait, a batch costs one round trip instead of two.
 */
export class Lane {
  readonly #pool: Pool;
  #client: Promise<PoolClient> | undefined;
  /** Fulfilled when the transaction before has sent its end. */
  #turn: Promise<void> = Promise.resolve();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** @throws what the pool fails with when there is no connection to be had */
  async run(work: BatchWork): Promise<Ended> {
    const before = this.#turn;
    const { promise, resolve: onSent } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      const connecting = this.#connect();
      const ended = await decideOn(await connecting, work, onSent);
      if (ended.kind === "unknown" || (ended.kind === "failed" && endsConnection(ended.error))) {
        await this.#drop(connecting);
      }
      return ended;
    } finally {
      onSent();
    }
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

  /** The statements of a batch run by index whatever the lists hold: planning them anew each time cost more than running them. */
  async #prepared(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    // Not waited for: it leaves ahead of the first batch, which fails and is tried again when the connection is gone.
    client.query("set plan_cache_mode = force_generic_plan").catch(() => {});
    return client;
  }

  /** Ends a connection that is of no more use; the next transaction gets another. */
  async #drop(client: Promise<PoolClient>): Promise<void> {
    if (this.#client !== client) return;
    this.#client = undefined;
    (await client).release(true);
  }
}
