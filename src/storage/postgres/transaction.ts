import type { PoolClient } from "pg";
import { Batch } from "../../metering/batch.ts";
import type { ChargeRequest, Decision, FindTier } from "../../metering/store.ts";
import type { TransactionEnd } from "./commitOutcome.ts";
import { corkForNow } from "./connect.ts";
import type { KeyAccounts } from "./keyAccounts.ts";
import {
  PostgresRows,
  type ReadKey,
  type ReadReservation,
  readKeys,
  readReservations,
  readUsed,
  type UsedMonth,
} from "./rows.ts";
import { type LockedAccount, lockAccounts, lockAccountsOf, writeChanges } from "./statements.ts";

export interface BatchWork {
  readonly id: string;
  readonly requests: readonly ChargeRequest[];
  readonly findTier: FindTier;
  readonly keyAccounts: KeyAccounts;
  /** Tests only: the time in the place of the database's clock. */
  readonly testNowMs: number | undefined;
}

/**
 * Decides a batch in one transaction on a connection, in two round trips: lock and read; write and commit. Never throws
 * for what the database does.
 * @param onSent called when the end of the transaction is on its way: the next one may follow in the same packet
 */
export async function decideOn(
  client: PoolClient,
  work: BatchWork,
  onSent: () => void,
): Promise<TransactionEnd<readonly Decision[]>> {
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
  const decisions = work.requests.map((request) => batch.decide(request));
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
      ? { kind: "committed", result: decisions }
      : { kind: "failed", error: failure?.reason };
  }
  const error = failure?.reason;
  return hasChanged ? { kind: "unknown", error, resultOf: () => decisions } : { kind: "failed", error };
}

async function lockAndRead(
  client: PoolClient,
  { requests, keyAccounts, testNowMs }: BatchWork,
): Promise<PostgresRows> {
  const keyIds = [...new Set(requests.map(({ keyId }) => keyId))];
  const settled = requests.flatMap((request) => (request.kind === "settle" ? [request.reservationId] : []));
  const accountIds = keyAccounts.ofAll(keyIds);
  const lockThem = accountIds === undefined ? lockAccountsOf(keyIds) : lockAccounts(accountIds);
  corkForNow(client);
  const begin = client.query("begin isolation level read committed");
  const lock = client.query<LockedAccount>(lockThem);
  const read = client.query<ReadKey>(readKeys(keyIds, testNowMs));
  const held = settled.length === 0 ? undefined : client.query<ReadReservation>(readReservations(settled));
  // All have ended before the first failure is told, so that nothing runs on when the connection is given back.
  await Promise.allSettled([begin, lock, read, held]);
  await begin;
  const { rows: locked } = await lock;
  const { rows: keys } = await read;
  keyAccounts.learn(keys);
  const rows = new PostgresRows(locked, keys, (await held)?.rows ?? []);
  const months = rows.monthsToRead();
  if (months.length > 0) rows.learnUsed((await client.query<UsedMonth>(readUsed(months))).rows);
  return rows;
}
