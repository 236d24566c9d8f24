import { Batch } from "../../metering/batch.ts";
import type { ChargeRequest, Decision, FindTier } from "../../metering/store.ts";
import { type Awaitable, all, andThen } from "./awaitable.ts";
import * as reads from "./reads.ts";
import * as responses from "./responseReads.ts";
import type { HeldRows, Query } from "./sql.ts";
import { StoredRows } from "./storedRows.ts";
import { type Expired, writesOf } from "./writes.ts";

/** An open transaction, as far as a batch needs it. PostgreSQL answers by promises, SQLite at once. */
export interface BatchTransaction {
  /** Queries that are started without waiting for each other share a round trip. */
  read<Row>(query: Query<Row>): Awaitable<readonly Row[]>;
  /** The store's clock, Unix milliseconds. */
  now(): Awaitable<number>;
}

export interface BatchTerms {
  readonly findTier: FindTier;
  readonly heldRows: HeldRows;
  readonly storedBytes: responses.StoredBytes;
}

export interface DecidedBatch {
  /** By request; a request whose rows another transaction holds has the id of its account instead of a decision. */
  readonly outcomes: readonly (Decision | { readonly heldAccount: string })[];
  /** To be run, and committed, in the same transaction. */
  readonly writes: readonly Query[];
}

const NONE: readonly never[] = [];

/**
 * Locks and reads the rows of a batch and decides its requests in order. It takes two round trips, or three in the first call of
 * an account in a month; writing and committing is one more.
 */
export function decideBatch(
  transaction: BatchTransaction,
  requests: readonly ChargeRequest[],
  terms: BatchTerms,
): Awaitable<DecidedBatch> {
  const keyIds = [...new Set(requests.map(({ keyId }) => keyId))];
  const jobIds = [...new Set(requests.flatMap((request) => jobOf(request) ?? []))];
  const locking = all([
    transaction.read(reads.lockKeys(keyIds, terms.heldRows)),
    jobIds.length === 0 ? NONE : transaction.read(reads.lockJobs(jobIds, terms.heldRows)),
    transaction.now(),
  ]);
  return andThen(locking, ([keys, jobs, nowMs]) => {
    const locked = {
      keys,
      jobs,
      nowMs,
      accounts: new Map(keys.map(({ id, account_id }) => [id, account_id])),
    };
    return andThen(readRows(transaction, requests, locked, terms.storedBytes), (rows) =>
      decideRows(requests, locked, rows, terms),
    );
  });
}

/** Decides requests from the rows that were read. */
function decideRows(
  requests: readonly ChargeRequest[],
  { jobs, nowMs, accounts }: Locked,
  { stored, owners, expired }: Rows,
  { findTier, heldRows }: BatchTerms,
): DecidedBatch {
  const lockedJobs = new Set(jobs.map(({ id }) => id));
  const batches = new Map<boolean, Batch>();
  const outcomes = requests.map((request) => {
    const held = owners.get(request.keyId);
    if (held !== undefined) return { heldAccount: held };
    const jobId = jobOf(request);
    const owner = accounts.get(request.keyId);
    if (heldRows === "skip" && jobId !== undefined && owner !== undefined && !lockedJobs.has(jobId)) {
      return { heldAccount: owner };
    }
    const isTest = request.isTest === true;
    const batch = batches.get(isTest) ?? new Batch(stored[isTest ? "test" : "live"], findTier);
    batches.set(isTest, batch);
    return batch.decide(request);
  });
  const changes = [...batches].map(([isTest, batch]) => ({ isTest, changes: batch.changes() }));
  return { outcomes, writes: writesOf(changes, expired, nowMs) };
}

interface Locked {
  readonly keys: readonly reads.LockedKey[];
  readonly jobs: readonly reads.LockedJob[];
  readonly nowMs: number;
  /** By key. */
  readonly accounts: ReadonlyMap<string, string>;
}

interface Rows {
  readonly stored: { readonly live: StoredRows; readonly test: StoredRows };
  /** Accounts of keys that another transaction holds, by key. */
  readonly owners: ReadonlyMap<string, string>;
  readonly expired: Expired;
}

function readRows(
  transaction: BatchTransaction,
  requests: readonly ChargeRequest[],
  { keys, jobs, nowMs, accounts }: Locked,
  storedBytes: responses.StoredBytes,
): Awaitable<Rows> {
  const missing = requests.map(({ keyId }) => keyId).filter((keyId) => !accounts.has(keyId));
  const bookIds = new Map(
    keys.map(({ account_id, kind }) => {
      const isTest = kind === "test" ? 1 : 0;
      return [`${account_id} ${isTest}`, { accountId: account_id, isTest } as const];
    }),
  );
  const books = [...bookIds.values()];
  const settled = requests.flatMap((request) => (request.kind === "settle" ? [request.reservationId] : []));
  const sessions = distinct(
    requests.flatMap(({ keyId, ...request }) => {
      const accountId = accounts.get(keyId);
      if (accountId === undefined || !("session" in request) || request.session === undefined) return [];
      return [{ accountId, keyId, session: request.session }];
    }),
  );
  const idempotencyIds = distinct(
    requests.flatMap(({ keyId, isTest, ...request }) => {
      const accountId = accounts.get(keyId);
      if (accountId === undefined || !("keep" in request) || request.keep === undefined) return [];
      return [{ accountId, isTest: isTest === true ? 1 : 0, id: request.keep.id } as const];
    }),
  );
  const keeping = [...new Set(idempotencyIds.map(({ accountId }) => accountId))];
  const isBytesDue = idempotencyIds.length > 0 && storedBytes.isDue(nowMs);
  const read = <Row>(query: Query<Row>, isNeeded: boolean) => (isNeeded ? transaction.read(query) : NONE);
  const reading = all([
    read(reads.keyOwners(missing), missing.length > 0),
    read(reads.latestMonths(books), books.length > 0),
    read(reads.reservedMonths([...new Set(accounts.values())], nowMs), books.length > 0),
    read(reads.reservations(settled), settled.length > 0),
    read(reads.typingSessions(sessions), sessions.length > 0),
    read(reads.sessionReservations(sessions), sessions.length > 0),
    read(responses.storedResponses(idempotencyIds), idempotencyIds.length > 0),
    read(responses.runningRequests(idempotencyIds), idempotencyIds.length > 0),
    read(responses.storedTotals(keeping, nowMs), keeping.length > 0),
    read(responses.storedBytes(nowMs), isBytesDue),
  ]);
  return andThen(
    reading,
    ([owners, months, reserved, reservations, progress, shared, answers, running, totals, bytes]) => {
      for (const sum of bytes) storedBytes.learn(sum.bytes, nowMs);
      const read = {
        ...{ nowMs, keys, jobs, months, reserved, reservations, responses: answers, running, totals },
        sessions: progress,
        sessionReservations: shared,
        bytesOfAll: storedBytes.bytes,
      };
      const stored = { live: new StoredRows(read, false), test: new StoredRows(read, true) };
      const rows = {
        stored,
        owners: new Map(owners.map(({ id, account_id }) => [id, account_id])),
        expired: { live: stored.live.withExpired(), test: stored.test.withExpired() },
      };
      return readUsed(transaction, rows);
    },
  );
}

/** Adds the use of months that has to be added up from the ledger. */
function readUsed(transaction: BatchTransaction, rows: Rows): Awaitable<Rows> {
  const { live, test } = rows.stored;
  const unread = [
    ...live.monthsToRead().map((month) => ({ ...month, isTest: 0 }) as const),
    ...test.monthsToRead().map((month) => ({ ...month, isTest: 1 }) as const),
  ];
  if (unread.length === 0) return rows;
  return andThen(transaction.read(reads.usedMonths(unread)), (used) => {
    live.learnUsed(used.filter(({ is_test }) => is_test === 0));
    test.learnUsed(used.filter(({ is_test }) => is_test === 1));
    return rows;
  });
}

function distinct<Row extends object>(rows: readonly Row[]): readonly Row[] {
  return rows.length < 2 ? rows : [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function jobOf(request: ChargeRequest): string | undefined {
  return request.kind === "settle" ? request.chunk?.jobId : undefined;
}
