/** Reads stored responses, for requests with an idempotency key. */
import { BOOKS, type Books, type BooksRow } from "./reads.ts";
import { type Query, query, statement } from "./sql.ts";

/** An idempotency id within an account. */
export interface IdempotencyId extends Books {
  readonly id: string;
}

export interface StoredResponseRow {
  readonly account_id: string;
  readonly id: string;
  readonly request_hash: string;
  readonly status: number;
  readonly names: string;
  readonly answer: string;
  readonly expires_at_ms: number;
}

const STORED_RESPONSES = statement<StoredResponseRow>(
  "stored_responses",
  ({ list }) => `
    select k.account_id, k.id, k.request_hash, k.status, k.names, k.answer, k.expires_at_ms
    from ${list(1, "w", "account_id text, id text")}
    join kept_answers k on k.account_id = w.account_id and k.id = w.id`,
);

export function storedResponses(ids: readonly IdempotencyId[]): Query<StoredResponseRow> {
  return query(STORED_RESPONSES, JSON.stringify(ids));
}

export interface RunningRequestRow extends BooksRow {
  readonly keep_id: string;
  readonly id: string;
  readonly request_hash: string;
  readonly expires_at_ms: number;
}

const RUNNING_REQUESTS = statement<RunningRequestRow>(
  "running_requests",
  ({ list }) => `
    select r.account_id, r.is_test, r.keep_id, r.id, r.request_hash, r.expires_at_ms
    from ${list(1, "w", `${BOOKS}, id text`)}
    join reservations r on r.account_id = w.account_id and r.given_back = 0 and r.is_test = w.is_test and r.keep_id = w.id
    order by r.expires_at_ms`,
);

/** Reservations of requests under these ids that are still running, the one that expires last at the end. */
export function runningRequests(ids: readonly IdempotencyId[]): Query<RunningRequestRow> {
  return query(RUNNING_REQUESTS, JSON.stringify(ids));
}

export interface StoredTotalsRow {
  readonly account_id: string;
  readonly answers: number;
  readonly bytes: number;
}

const STORED_TOTALS = statement<StoredTotalsRow>(
  "stored_totals",
  ({ isIn, parameter }) => `
    select t.account_id, cast(sum(t.answers) as bigint) as answers, cast(sum(t.bytes) as bigint) as bytes
    from kept_totals t where t.ends_at_ms > ${parameter(2)} and ${isIn("t.account_id", 1)}
    group by t.account_id`,
);

export function storedTotals(accountIds: readonly string[], nowMs: number): Query<StoredTotalsRow> {
  return query(STORED_TOTALS, JSON.stringify(accountIds), nowMs);
}

const STORED_BYTES = statement<{ readonly bytes: number }>(
  "stored_bytes",
  ({ parameter }) =>
    `select cast(coalesce(sum(bytes), 0) as bigint) as bytes from kept_totals where ends_at_ms > ${parameter(1)}`,
);

/** The bytes that stored responses of all accounts take. */
export function storedBytes(nowMs: number): Query<{ readonly bytes: number }> {
  return query(STORED_BYTES, nowMs);
}

const SUM_UP_EVERY_MS = 60_000;

/** The bytes of the stored responses of all accounts, summed up once a minute: too much work for every batch. */
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
