import type { PoolClient, QueryResult } from "pg";
import { type BookChanges, BooksBatch } from "../../metering/books.ts";
import type { ChargeRequest, Decision, FindTier } from "../../metering/store.ts";
import { type Books, LIVE_BOOKS, TEST_BOOKS } from "../books.ts";
import { liveOf } from "./callGroups.ts";
import { jobsOf, type ReadJob, readJobs } from "./chunkStatements.ts";
import type { TransactionEnd } from "./commitOutcome.ts";
import { corkForNow } from "./connect.ts";
import { type KeptOfAll, KeptRows, knownIn, readKept, readKeptTotals } from "./keptRows.ts";
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
import { type AskedSession, type ReadSession, readSessions } from "./sessionRows.ts";
import { type PreparedStatement, rowsOf, runTogether } from "./statementGroup.ts";
import {
  BEGIN,
  type BookWrite,
  type LockedAccount,
  lockAccounts,
  lockAccountsOf,
  writeChanges,
} from "./statements.ts";
import { closeTabsOfStatement, closeTabsStatement, type OpenedTab, openTabsStatement } from "./tabs.ts";

export interface BatchWork {
  readonly id: string;
  readonly requests: readonly ChargeRequest[];
  readonly findTier: FindTier;
  readonly keyAccounts: KeyAccounts;
  readonly keptOfAll: KeptOfAll;
  /** Of those keys whose accounts are to have a tab from now on. */
  readonly keysForTabs: readonly string[];
  /** Tests only: the time in the place of the database's clock. */
  readonly testNowMs: number | undefined;
}

export interface Decided {
  readonly decisions: readonly Decision[];
  /** The tabs that were opened. */
  readonly tabs: readonly OpenedTab[];
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
): Promise<TransactionEnd<Decided>> {
  let rows: ReadBooks;
  try {
    rows = await lockAndRead(client, work);
  } catch (error) {
    const undone = client.query("rollback");
    onSent();
    await undone.catch(() => {});
    return { kind: "failed", error };
  }
  const batch = new BooksBatch((which) => rowsIn(rows, which), work.findTier);
  const decisions = work.requests.map((request) => batch.decide(request));
  const writes = writeChanges(work.id, bookWrites(rows, batch.changes()));
  const hasChanged = writes.length > 0;
  if (hasChanged && work.keysForTabs.length > 0) {
    writes.push(openTabsStatement(work.keysForTabs, work.testNowMs));
  }
  corkForNow(client);
  const written = hasChanged ? runTogether(client, writes) : undefined;
  const committed = client.query("commit");
  onSent();
  const [write, commit] = await Promise.allSettled([written, committed]);
  const failure = [write, commit].find((result) => result.status === "rejected");
  // A transaction in which a statement failed answers a commit with ROLLBACK.
  if (commit.status === "fulfilled") {
    return commit.value.command === "COMMIT"
      ? { kind: "committed", result: { decisions, tabs: openedBy(write, work) } }
      : { kind: "failed", error: failure?.reason };
  }
  const error = failure?.reason;
  return hasChanged
    ? { kind: "unknown", error, resultOf: () => ({ decisions, tabs: [] }) }
    : { kind: "failed", error };
}

function openedBy(
  written: PromiseSettledResult<readonly QueryResult[] | undefined>,
  { keysForTabs }: BatchWork,
): readonly OpenedTab[] {
  if (keysForTabs.length === 0 || written.status === "rejected") return [];
  return rowsOf<OpenedTab>(written.value?.at(-1));
}

const BOOKS: Readonly<Record<keyof BookChanges, Books>> = { live: LIVE_BOOKS, test: TEST_BOOKS };

/** The rows of the books that a batch is about. */
type ReadBooks = ReadonlyMap<keyof BookChanges, PostgresRows>;

function rowsIn(rows: ReadBooks, which: keyof BookChanges): PostgresRows {
  const read = rows.get(which);
  if (read === undefined) throw new RangeError("books were not read");
  return read;
}

function bookWrites(rows: ReadBooks, changed: BookChanges): BookWrite[] {
  return [...rows].flatMap(([which, read]) => {
    const changes = changed[which];
    return changes === undefined ? [] : [{ books: BOOKS[which], changes, giveBack: read.giveBack() }];
  });
}

async function lockAndRead(
  client: PoolClient,
  { requests, keyAccounts, keptOfAll, testNowMs }: BatchWork,
): Promise<ReadBooks> {
  const keyIds = keysOf(requests);
  const accountIds = keyAccounts.ofAll(keyIds);
  const lockThem = accountIds === undefined ? lockAccountsOf(keyIds) : lockAccounts(accountIds);
  const statements: PreparedStatement[] = [BEGIN, lockThem];
  const live = liveOf(requests);
  const tested = requests.filter(({ isTest }) => isTest === true);
  const asked = new Map<keyof BookChanges, readonly ChargeRequest[]>();
  if (live.length > 0) {
    // What is asked with test keys is counted in books of its own, and leaves tabs as they are.
    statements.push(closeTabsOf(keysOf(live), keyAccounts));
    asked.set("live", live);
  }
  if (tested.length > 0) asked.set("test", tested);
  const places = [...asked].map(([which, ofBooks]) => {
    const keys = statements.push(readKeys(keysOf(ofBooks), testNowMs, BOOKS[which])) - 1;
    const settled = ofBooks.flatMap((request) => (request.kind === "settle" ? [request.reservationId] : []));
    const held = settled.length === 0 ? -1 : statements.push(readReservations(settled, BOOKS[which])) - 1;
    const named = ofBooks.flatMap(sessionOf);
    const progress = named.length === 0 ? -1 : statements.push(readSessions(named, BOOKS[which])) - 1;
    const known = knownIn(ofBooks);
    const kept = known.length === 0 ? -1 : statements.push(readKept(known, BOOKS[which])) - 1;
    if (known.length > 0) statements.push(readKeptTotals(known, keptOfAll.isOld, testNowMs));
    return { which, keys, held, progress, kept };
  });
  const jobIds = jobsOf(requests);
  const jobs = jobIds.length === 0 ? -1 : statements.push(readJobs(jobIds)) - 1;
  const results = await runTogether(client, statements);
  const locked = rowsOf<LockedAccount>(results[1]);
  const read = new Map<keyof BookChanges, PostgresRows>();
  for (const place of places) {
    const keys = rowsOf<ReadKey>(results[place.keys]);
    keyAccounts.learn(keys);
    const rows = new PostgresRows({
      locked,
      keys,
      reservations: rowsOf<ReadReservation>(results[place.held]),
      sessions: rowsOf<ReadSession>(results[place.progress]),
      kept:
        place.kept < 0
          ? undefined
          : new KeptRows(rowsOf(results[place.kept]), rowsOf(results[place.kept + 1]), keptOfAll),
      jobs: rowsOf<ReadJob>(results[jobs]),
    });
    const months = rows.monthsToRead();
    if (months.length > 0) {
      rows.learnUsed((await client.query<UsedMonth>(readUsed(months, BOOKS[place.which]))).rows);
    }
    read.set(place.which, rows);
  }
  return read;
}

function closeTabsOf(keyIds: readonly string[], keyAccounts: KeyAccounts): PreparedStatement {
  const accountIds = keyAccounts.ofAll(keyIds);
  return accountIds === undefined ? closeTabsOfStatement(keyIds) : closeTabsStatement(accountIds);
}

function keysOf(requests: readonly ChargeRequest[]): string[] {
  return [...new Set(requests.map(({ keyId }) => keyId))];
}

const NO_SESSION: readonly AskedSession[] = [];

function sessionOf(request: ChargeRequest): readonly AskedSession[] {
  if (request.kind === "refusals" || request.session === undefined) return NO_SESSION;
  return [{ keyId: request.keyId, session: request.session }];
}
