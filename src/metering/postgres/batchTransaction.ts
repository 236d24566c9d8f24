import type { PoolClient } from "pg";
import { NOW_MS } from "../../database/clock.ts";
import type { TransactionEnd } from "../../database/postgres/commitOutcome.ts";
import type { Query } from "../../database/sql.ts";
import type { BatchTransaction, DecidedBatch } from "../batch/decideBatch.ts";

/**
 * Runs a batch as one transaction on a connection. Independent statements are sent together, without waiting. Never
 * throws database errors.
 * @param id written with the batch, to find its outcome if the response of the commit is lost
 * @param now for tests: a clock instead of the database's
 */
export async function runBatch(
  client: PoolClient,
  id: string,
  decide: (transaction: BatchTransaction) => DecidedBatch | Promise<DecidedBatch>,
  now: (() => number) | undefined,
): Promise<{ readonly end: TransactionEnd; readonly outcomes: DecidedBatch["outcomes"] }> {
  const transaction: BatchTransaction = {
    read: async (query) => (await send(client, query)).rows,
    now: async () => now?.() ?? (await databaseNow(client)),
  };
  let decided: DecidedBatch;
  try {
    [, decided] = await Promise.all([
      client.query("begin isolation level read committed"),
      decide(transaction),
    ]);
  } catch (error) {
    await client.query("rollback").catch(() => {});
    return { end: { kind: "failed", error }, outcomes: [] };
  }
  const { outcomes, writes } = decided;
  return { end: await commit(client, id, writes), outcomes };
}

async function commit(client: PoolClient, id: string, writes: readonly Query[]): Promise<TransactionEnd> {
  const written =
    writes.length === 0
      ? []
      : [
          client.query({
            name: "opzoek_note_batch",
            text: `insert into applied_batches (id, is_void, noted_at_ms) values ($1, 0, ${NOW_MS})`,
            values: [id],
          }),
          ...writes.map((write) => send(client, write)),
        ];
  const [committed, ...results] = await Promise.allSettled([client.query("commit"), ...written]);
  const failure = results.find((result) => result.status === "rejected") ?? committed;
  const error: unknown = failure.status === "rejected" ? failure.reason : undefined;
  // A transaction with a failed statement answers a commit with ROLLBACK.
  if (committed.status === "fulfilled") {
    return committed.value.command === "COMMIT" ? { kind: "committed" } : { kind: "failed", error };
  }
  return { kind: writes.length === 0 ? "failed" : "unknown", error };
}

function send<Row>(client: PoolClient, { statement, values }: Query<Row>) {
  return client.query<Row & object>({
    name: statement.name,
    text: statement.postgres,
    values: [...values],
  });
}

async function databaseNow(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ now_ms: number }>({
    name: "opzoek_now",
    text: `select ${NOW_MS} as now_ms`,
  });
  const [read] = rows;
  if (read === undefined) throw new Error("the database returned no time");
  return read.now_ms;
}
