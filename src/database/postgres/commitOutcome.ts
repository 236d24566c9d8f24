import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Pool } from "pg";
import { withTimeout } from "../../lib/deadline.ts";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import { NOW_MS } from "../clock.ts";
import type { Tables } from "../schema/tables.ts";
import { onConnection } from "./connect.ts";
import { databaseReason } from "./failures.ts";

/** The maximum wait for the outcome of a commit whose connection was lost. */
const RESOLVE_WITHIN_MS = 2_000;
const TRY_EVERY_MS = 50;

/** The database's clock, Unix milliseconds. */
export async function databaseTime(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ now_ms: number }>`select ${sql.raw(NOW_MS)} as now_ms`.execute(db);
  const [read] = rows;
  if (read === undefined) throw new Error("the database returned no time");
  return read.now_ms;
}

/**
 * The outcome of a transaction. `failed`: nothing was changed. `unknown`: the connection was cut around the commit, see
 * {@link isCommitted}.
 */
export type TransactionEnd =
  | { readonly kind: "committed" }
  | { readonly kind: "failed" | "unknown"; readonly error: unknown };

/**
 * Finds out whether a batch was committed whose connection was cut before the answer. Each batch writes its id in its
 * own transaction; this writes the same id, as void. An id has one row, so there are two cases:
 * - The row already exists: the batch was committed.
 * - The void row is inserted: the batch was not committed and never will be, because its own row would now collide with
 * this one. It may be retried. If the batch's transaction is still open, the server makes this wait until it has ended.
 *
 * Both cases write and commit, so the outcome is as durable as the batch itself must be. Under synchronous replication
 * a read could see a commit that no standby has, and that a failover would lose.
 * @throws {StoreUnavailable} if the database does not answer in time
 */
export async function isCommitted(pool: Pool, batchId: string): Promise<boolean> {
  const endsMs = performance.now() + RESOLVE_WITHIN_MS;
  for (;;) {
    try {
      const outcome = await withTimeout(Math.max(0, endsMs - performance.now()), queryOutcome(pool, batchId));
      if (outcome !== undefined) return outcome;
      throw new Error("the database does not answer");
    } catch (error) {
      if (performance.now() + TRY_EVERY_MS >= endsMs) {
        throw new StoreUnavailable(`the outcome of a commit is unknown: ${databaseReason(error)}`);
      }
      await wait(TRY_EVERY_MS);
    }
  }
}

async function queryOutcome(pool: Pool, batchId: string): Promise<boolean> {
  const note = `
    insert into applied_batches (id, is_void, noted_at_ms) values ($1, 1, ${NOW_MS})
    on conflict (id) do update set noted_at_ms = excluded.noted_at_ms
    returning is_void`;
  const { rows } = await onConnection(pool, (client) => client.query<{ is_void: number }>(note, [batchId]));
  const [noted] = rows;
  if (noted === undefined) throw new Error("the database returned no outcome for the batch");
  return noted.is_void === 0;
}
