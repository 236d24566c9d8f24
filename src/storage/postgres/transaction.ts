import type { PoolClient } from "pg";
import { Batch } from "../../metering/batch.ts";
import type { ChargeRequest, Decision, FindTier } from "../../metering/store.ts";
import type { TransactionEnd } from "./commitOutcome.ts";
import { corkForNow } from "./connect.ts";
import { type KeptOfAll, KeptRows, knownIn, readKept, readKeptTotals } from "./keptRows.ts";
import type { KeyAccounts } from "./keyAccounts.ts";
import {
  type AskedSession,
  PostgresRows,
  type ReadKey,
  type ReadReservation,
  type ReadSession,
  readKeys,
  readReservations,
  readSessions,
  readUsed,
  type UsedMonth,
} from "./rows.ts";
import { type PreparedStatement, rowsOf, runTogether } from "./statementGroup.ts";
import { BEGIN, type LockedAccount, lockAccounts, lockAccountsOf, writeChanges } from "./statements.ts";

export interface BatchWork {
  readonly id: string;
  readonly requests: readonly ChargeRequest[];
  readonly findTier: FindTier;
  readonly keyAccounts: KeyAccounts;
  readonly keptOfAll: KeptOfAll;
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
  const written = hasChanged ? runTogether(client, writes) : undefined;
  const committed = client.query("commit");
  onSent();
  const [write, commit] = await Promise.allSettled([written, committed]);
  const failure = [write, commit].find((result) => result.status === "rejected");
  // A transaction in which a statement failed answers a commit with ROLLBACK.
  if (commit.status === "fulfilled") {
    return commit.value.command === "COMMIT"
      ? { kind: "committed", result: decisions }
      : { kind: "failed", error: failure?.reason };
  }
  const error = failure?.reason;
  return hasChanged ? { kind: "unknown", error, resultOf: () => decisions } : { kind: "failed", error };
}

async function lockAndRead(
  client: PoolClient,
  { requests, keyAccounts, keptOfAll, testNowMs }: BatchWork,
): Promise<PostgresRows> {
  const keyIds = [...new Set(requests.map(({ keyId }) => keyId))];
  const settled = requests.flatMap((request) => (request.kind === "settle" ? [request.reservationId] : []));
  const named = requests.flatMap(sessionOf);
  const accountIds = keyAccounts.ofAll(keyIds);
  const lockThem = accountIds === undefined ? lockAccountsOf(keyIds) : lockAccounts(accountIds);
  const statements: PreparedStatement[] = [BEGIN, lockThem, readKeys(keyIds, testNowMs)];
  if (settled.length > 0) statements.push(readReservations(settled));
  if (named.length > 0) statements.push(readSessions(named));
  const known = knownIn(requests);
  if (known.length > 0) statements.push(readKept(known), readKeptTotals(known, keptOfAll.isOld, testNowMs));
  const [, locked, read, ...others] = await runTogether(client, statements);
  const held = settled.length > 0 ? others.shift() : undefined;
  const progress = named.length > 0 ? others.shift() : undefined;
  const [kept, totals] = others;
  const keys = rowsOf<ReadKey>(read);
  keyAccounts.learn(keys);
  const rows = new PostgresRows({
    locked: rowsOf<LockedAccount>(locked),
    keys,
    reservations: rowsOf<ReadReservation>(held),
    sessions: rowsOf<ReadSession>(progress),
    kept: known.length === 0 ? undefined : new KeptRows(rowsOf(kept), rowsOf(totals), keptOfAll),
  });
  const months = rows.monthsToRead();
  if (months.length > 0) rows.learnUsed((await client.query<UsedMonth>(readUsed(months))).rows);
  return rows;
}

const NO_SESSION: readonly AskedSession[] = [];

function sessionOf(request: ChargeRequest): readonly AskedSession[] {
  if (request.kind === "refusals" || request.session === undefined) return NO_SESSION;
  return [{ keyId: request.keyId, session: request.session }];
}
