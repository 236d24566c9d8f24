import { type LockedRows, type Query, query, type Statement } from "../../database/sql.ts";
import { Batch } from "../batch.ts";
import type { ChargeRequest, Decision, FindTier } from "../store.ts";
import type { EventTables, PendingRow } from "./events.ts";
import * as reads from "./reads.ts";
import { StoredRows } from "./storedRows.ts";
import { writesOf } from "./writes.ts";

/** The part of an open transaction that a batch needs. PostgreSQL returns promises, SQLite values. */
export interface BatchTransaction {
  /** Queries that start without waiting for each other share a round trip. */
  read<Row>(query: Query<Row>): Awaitable<readonly Row[]>;
  /** The store's clock, Unix milliseconds. */
  now(): Awaitable<number>;
}

/** The rules and tables of the program that a batch is decided by. */
export interface ChargeTerms {
  readonly findTier: FindTier;
  readonly events: EventTables;
}

interface BatchTerms extends ChargeTerms {
  readonly lockedRows: LockedRows;
  readonly storedBytes: StoredBytes;
}

export interface DecidedBatch {
  /**
   * By request; a request whose rows another transaction has locked has the id of its account instead of a decision.
   */
  readonly outcomes: readonly (Decision | { readonly lockedAccount: string })[];
  /** To be run and committed in the same transaction. */
  readonly writes: readonly Query[];
}

const NONE: readonly never[] = [];

/**
 * Locks and reads the rows of a batch and decides its requests in order. Plain calls take one round trip; reservations,
 * sessions and stored responses take two, and the first call of an account in a month one more. Writing and committing
 * is another one.
 */
export function decideBatch(
  transaction: BatchTransaction,
  requests: readonly ChargeRequest[],
  terms: BatchTerms,
): Awaitable<DecidedBatch> {
  const keyIds = [...new Set(requests.map(({ keyId }) => keyId))];
  const jobIds = [...new Set(requests.flatMap((request) => jobOf(request) ?? []))];
  const locking = all({
    keys: readListed(transaction, reads.LOCK_KEYS[terms.lockedRows], keyIds),
    jobs: readListed(transaction, reads.LOCK_JOBS[terms.lockedRows], jobIds),
    nowMs: transaction.now(),
    months: readListed(transaction, reads.LATEST_MONTHS, keyIds),
  });
  return andThen(locking, (rows) => {
    const accounts = new Map(rows.keys.map(({ id, account_id }) => [id, account_id]));
    const locked = { ...rows, accounts };
    return andThen(readRows(transaction, requests, locked, terms), (read) =>
      decideRows(requests, locked, read, terms),
    );
  });
}

/** Reads rows by the list that a statement takes. An empty list has none. */
function readListed<Row>(
  transaction: BatchTransaction,
  sqlStatement: Statement<Row>,
  list: readonly (string | object)[],
  ...values: readonly number[]
): Awaitable<readonly Row[]> {
  return list.length === 0 ? NONE : transaction.read(query(sqlStatement, list, ...values));
}

function decideRows(
  requests: readonly ChargeRequest[],
  { jobs, nowMs, accounts }: Locked,
  { stored, owners, pending }: Rows,
  { findTier, events, lockedRows }: BatchTerms,
): DecidedBatch {
  const lockedJobs = new Set(jobs.map(({ id }) => id));
  const batches = new Map<boolean, Batch>();
  const outcomes = requests.map((request) => {
    const lockedOwner = owners.get(request.keyId);
    if (lockedOwner !== undefined) return { lockedAccount: lockedOwner };
    const jobId = jobOf(request);
    const owner = accounts.get(request.keyId);
    if (lockedRows === "skip" && jobId !== undefined && owner !== undefined && !lockedJobs.has(jobId)) {
      return { lockedAccount: owner };
    }
    const isTest = request.isTest === true;
    const batch = batches.get(isTest) ?? new Batch(stored[isTest ? "test" : "live"], findTier);
    batches.set(isTest, batch);
    return batch.decide(request);
  });
  const changes = [...batches].map(([isTest, batch]) => ({ isTest, changes: batch.changes() }));
  const expired = { live: stored.live.withExpired(), test: stored.test.withExpired() };
  const writes = [...writesOf(changes, expired, nowMs), ...events.writes(changes, pending, nowMs)];
  return { outcomes, writes };
}

interface Locked {
  readonly keys: readonly reads.LockedKey[];
  readonly jobs: readonly reads.LockedJob[];
  readonly nowMs: number;
  readonly months: readonly reads.LatestMonth[];
  /** By key. */
  readonly accounts: ReadonlyMap<string, string>;
}

interface Rows {
  readonly stored: { readonly live: StoredRows; readonly test: StoredRows };
  /** Accounts of keys that another transaction has locked, by key. */
  readonly owners: ReadonlyMap<string, string>;
  /** Pending changes by id. */
  readonly pending: ReadonlyMap<string, PendingRow>;
}

function readRows(
  transaction: BatchTransaction,
  requests: readonly ChargeRequest[],
  { keys, jobs, nowMs, months, accounts }: Locked,
  { events, storedBytes }: BatchTerms,
): Awaitable<Rows> {
  const unlockedKeys = requests.map(({ keyId }) => keyId).filter((keyId) => !accounts.has(keyId));
  const reserving = months.flatMap(({ accountId, reserves }) => (reserves === 1 ? [accountId] : []));
  const settledIds = requests.flatMap((request) =>
    request.kind === "settle" ? [request.reservationId] : [],
  );
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
      if (accountId === undefined || !("idempotency" in request) || request.idempotency === undefined)
        return [];
      return [{ accountId, isTest: isTest === true ? 1 : 0, id: request.idempotency.id }];
    }),
  );
  const pendingIds = requests.flatMap((request) => (request.kind === "events" ? request.pendingIds : []));
  const storingAccounts = [...new Set(idempotencyIds.map(({ accountId }) => accountId))];
  const isBytesDue = storingAccounts.length > 0 && storedBytes.isDue(nowMs);
  const read = <Row>(
    sqlStatement: Statement<Row>,
    list: readonly (string | object)[],
    ...values: readonly number[]
  ) => readListed(transaction, sqlStatement, list, ...values);
  const reading = all({
    owners: read(reads.KEY_OWNERS, unlockedKeys),
    reserved: read(reads.RESERVED_MONTHS, [...new Set(reserving)], nowMs),
    reservations: read(reads.RESERVATIONS, settledIds),
    sessions: read(reads.SESSIONS, sessions),
    sessionReservations: read(reads.SESSION_RESERVATIONS, sessions),
    responses: read(reads.STORED_RESPONSES, idempotencyIds),
    running: read(reads.RUNNING_REQUESTS, idempotencyIds),
    totals: read(reads.STORED_TOTALS, storingAccounts, nowMs),
    sums: isBytesDue ? transaction.read(reads.storedBytes(nowMs)) : NONE,
    pending: read(events.pending, pendingIds),
    eventAccounts: read(events.accounts, pendingIds.length === 0 ? [] : distinct(months)),
  });
  return andThen(reading, ({ owners, sums, ...found }) => {
    for (const { bytes } of sums) storedBytes.learn(bytes, nowMs);
    const rows = { ...found, nowMs, keys, jobs, months, totalBytes: storedBytes.bytes };
    return readUsed(transaction, {
      stored: { live: new StoredRows(rows, false), test: new StoredRows(rows, true) },
      owners: new Map(owners.map(({ id, accountId }) => [id, accountId])),
      pending: new Map(found.pending.map((row) => [row.id, row])),
    });
  });
}

/** Adds the usage of months that must be summed from the ledger. */
function readUsed(transaction: BatchTransaction, rows: Rows): Awaitable<Rows> {
  const { live, test } = rows.stored;
  const unread = [live, test].flatMap((stored, isTest) =>
    stored.monthsToRead().map((month) => ({ ...month, isTest })),
  );
  return andThen(readListed(transaction, reads.USED_MONTHS, unread), (used) => {
    live.learnUsed(used);
    test.learnUsed(used);
    return rows;
  });
}

function distinct<Row extends object>(rows: readonly Row[]): readonly Row[] {
  return rows.length < 2 ? rows : [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function jobOf(request: ChargeRequest): string | undefined {
  return request.kind === "settle" ? request.chunk?.jobId : undefined;
}

const SUM_UP_EVERY_MS = 60_000;

/**
 * The bytes of the stored responses of all accounts, summed once a minute because it is too much work for every batch.
 */
export class StoredBytes {
  bytes = 0;
  #summedAtMs = Number.NEGATIVE_INFINITY;

  isDue(nowMs: number): boolean {
    return Math.abs(nowMs - this.#summedAtMs) >= SUM_UP_EVERY_MS;
  }

  learn(bytes: number, nowMs: number): void {
    this.bytes = bytes;
    this.#summedAtMs = nowMs;
  }
}

/**
 * A value now or later. SQLite must return at once: no other work may come between the statements of its transaction.
 */
type Awaitable<T> = T | Promise<T>;

function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

type Settled<T> = { readonly [Name in keyof T]: Awaited<T[Name]> };

/** Returns all values at once, by name, if none is a promise; otherwise a promise of them. */
function all<T extends object>(values: T): Awaitable<Settled<T>> {
  if (!Object.values(values).some((value) => value instanceof Promise)) return values as Settled<T>;
  const names = Object.keys(values);
  return Promise.all(Object.values(values)).then(
    (settled) => Object.fromEntries(names.map((name, place) => [name, settled[place]])) as Settled<T>,
  );
}
