import type { PoolClient } from "pg";
import type { Ask, Decision, FindTier } from "../../metering/store.ts";
import { Batch } from "../batch.ts";
import { PostgresRows } from "./rows.ts";
import {
  type LockedAccount,
  lockAccounts,
  type ReadKey,
  type ReadReservation,
  readKeys,
  readReservations,
  writeChanges,
} from "./statements.ts";

/** How a transaction ended. `failed`: nothing was changed. `unknown`: the connection was cut around the commit. */
export type Ended =
  | { readonly kind: "committed"; readonly decisions: readonly Decision[] }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "unknown"; readonly decisions: readonly Decision[]; readonly error: unknown };

export interface BatchWork {
  readonly id: string;
  readonly asks: readonly Ask[];
  readonly findTier: FindTier;
  /** Tests only: the time in the place of the database's clock. */
  readonly testNowMs: number | undefined;
}

/**
 * Decides a batch in one transaction on a connection, in two round trips: lock and read; write and commit. Never throws
 * for what the database does.
 * @param onSent called when the end of the transaction is on its way: the next one may follow in the same packet
 */
export async function decideOn(client: PoolClient, work: BatchWork, onSent: () => void): Promise<Ended> {
  let rows: PostgresRows;
  try {
    rows = await lockAndRead(client, work);
  } catch (error) {
    const undone = client.query("rollback");
    onSent();
    await undone.catch(() => {});
    return { kind: "failed", error };
  }
  const batch = new Batch(rows, work.findTier);
  const decisions = work.asks.map((ask) => batch.decide(ask));
  const writes = writeChanges(work.id, batch.changes(), rows.giveBack());
  const hasChanged = writes.length > 0;
  corkForNow(client);
  const sent = [...writes.map((statement) => client.query(statement)), client.query("commit")];
  onSent();
  const results = await Promise.allSettled(sent);
  const commit = results.at(-1);
  const failure = results.find((result) => result.status === "rejected");
  // A transaction in which a statement failed answers a commit with ROLLBACK.
  if (commit?.status === "fulfilled") {
    return commit.value.command === "COMMIT"
      ? { kind: "committed", decisions }
      : { kind: "failed", error: failure?.reason };
  }
  return { kind: hasChanged ? "unknown" : "failed", decisions, error: failure?.reason };
}

async function lockAndRead(client: PoolClient, { asks, testNowMs }: BatchWork): Promise<PostgresRows> {
  const keyIds = [...new Set(asks.map(({ keyId }) => keyId))];
  const settled = asks.flatMap((ask) => (ask.kind === "settle" ? [ask.reservationId] : []));
  corkForNow(client);
  const begin = client.query("begin isolation level read committed");
  const lock = client.query<LockedAccount>(lockAccounts(keyIds));
  const read = client.query<ReadKey>(readKeys(keyIds, testNowMs));
  const held = settled.length === 0 ? undefined : client.query<ReadReservation>(readReservations(settled));
  // All have ended before the first failure is told, so that nothing runs on when the connection is given back.
  await Promise.allSettled([begin, lock, read, held]);
  await begin;
  const { rows: locked } = await lock;
  const { rows: keys } = await read;
  return new PostgresRows(locked, keys, (await held)?.rows ?? []);
}

/** Has all that is sent until the running code has ended leave in one packet. */
function corkForNow({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}
