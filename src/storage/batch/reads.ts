import type { JobStatus } from "../../contract/jobs.ts";
import type { KeyKind } from "../../contract/keyKinds.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import { type HeldRows, listOf, type Query, query, statement } from "./sql.ts";

export interface LockedKey {
  readonly id: string;
  readonly account_id: string;
  readonly kind: KeyKind;
  readonly revoked_at: string | null;
  readonly ends_at: string | null;
  readonly expires_at_ms: number | null;
  readonly networks: string | null;
  readonly origins: string | null;
  readonly may_look_up: number;
  readonly daily_tokens: number | null;
  readonly spending_day: number;
  readonly spent_in_day: number;
  readonly minute: number;
  readonly calls_in_minute: number;
  readonly tier: string;
  readonly suspended: number;
}

/**
 * Locks keys and their accounts, always in the same order, so that two batches never wait for each other. The lock on an
 * account also covers its months, reservations and ledger. `for no key update` lets others insert rows that refer to the account.
 */
const lockKeysStatement = (held: HeldRows) =>
  statement<LockedKey>(
    `lock_keys_${held}`,
    ({ isIn, lock }) => `
      select k.id, k.account_id, k.kind, k.revoked_at, k.ends_at, k.expires_at_ms, k.networks, k.origins, k.may_look_up,
             k.daily_tokens, k.spending_day, k.spent_in_day, k.minute, k.calls_in_minute, a.tier, a.suspended
      from keys k join accounts a on a.id = k.account_id where ${isIn("k.id", 1)}
      order by a.id, k.id ${lock("a, k", held)}`,
  );
const LOCK_KEYS = { skip: lockKeysStatement("skip"), wait: lockKeysStatement("wait") };

export function lockKeys(ids: readonly string[], held: HeldRows): Query<LockedKey> {
  return query(LOCK_KEYS[held], JSON.stringify(ids));
}

export interface LockedJob {
  readonly id: string;
  readonly step: number;
  readonly claim: number;
  readonly status: JobStatus;
}

/** Locks background lists, so that none is ended or cancelled before the results of this batch are stored. */
const lockJobsStatement = (held: HeldRows) =>
  statement<LockedJob>(
    `lock_jobs_${held}`,
    ({ isIn, lock }) => `
      select j.id, j.step, j.claim, j.status from jobs j where ${isIn("j.id", 1)}
      order by j.id ${lock("j", held)}`,
  );
const LOCK_JOBS = { skip: lockJobsStatement("skip"), wait: lockJobsStatement("wait") };

export function lockJobs(ids: readonly string[], held: HeldRows): Query<LockedJob> {
  return query(LOCK_JOBS[held], JSON.stringify(ids));
}

export interface KeyOwner {
  readonly id: string;
  readonly account_id: string;
}

const KEY_OWNERS = statement<KeyOwner>(
  "key_owners",
  ({ isIn }) => `select k.id, k.account_id from keys k where ${isIn("k.id", 1)}`,
);

/** The accounts of keys that could not be locked. */
export function keyOwners(ids: readonly string[]): Query<KeyOwner> {
  return query(KEY_OWNERS, JSON.stringify(ids));
}

/** An account with the flag that separates its live from its test figures. */
export interface Books {
  readonly account_id: string;
  readonly is_test: number;
}

const BOOKS = "account_id text, is_test integer";

export interface LatestMonth extends Books {
  /** Null, as `used`, for an account that nothing was decided about yet. */
  readonly month: number | null;
  readonly used: number | null;
}

const LATEST_MONTHS = statement<LatestMonth>("latest_months", ({ list }) => {
  const latest = (column: string) => `(
      select m.${column} from account_months m where m.account_id = w.account_id and m.is_test = w.is_test
      order by m.month desc limit 1
    ) as ${column}`;
  return `select w.account_id, w.is_test, ${latest("month")}, ${latest("used")} from ${list(1, "w", BOOKS)}`;
});

export function latestMonths(books: readonly Books[]): Query<LatestMonth> {
  return query(LATEST_MONTHS, listOf(books.map((one) => ({ ...one }))));
}

export interface ReservedMonth extends Books {
  readonly month: number;
  /** Of reservations that have not expired. */
  readonly tokens: number;
  readonly next_expiry: number;
}

const RESERVED_MONTHS = statement<ReservedMonth>(
  "reserved_months",
  ({ isIn, parameter }) => `
    select r.account_id, r.is_test, r.month, min(r.expires_at_ms) as next_expiry,
           cast(coalesce(sum(case when r.expires_at_ms > ${parameter(2)} then r.tokens end), 0) as bigint) as tokens
    from reservations r where r.given_back = 0 and ${isIn("r.account_id", 1)}
    group by r.account_id, r.is_test, r.month`,
);

export function reservedMonths(accountIds: readonly string[], nowMs: number): Query<ReservedMonth> {
  return query(RESERVED_MONTHS, JSON.stringify(accountIds), nowMs);
}

export interface UsedMonth extends Books {
  readonly month: number;
  readonly used: number;
}

const USED_MONTHS = statement<UsedMonth>(
  "used_months",
  ({ list }) => `
    select w.account_id, w.is_test, w.month, cast((
      select coalesce(sum(l.tokens), 0) from ledger l
      where l.account_id = w.account_id and l.is_test = w.is_test and l.day between w.first and w.last
    ) as bigint) as used
    from ${list(1, "w", `${BOOKS}, month integer, first text, last text`)}`,
);

/** What was used in months, by the ledger. */
export function usedMonths(
  months: readonly (Books & { readonly month: number; readonly first: string; readonly last: string })[],
): Query<UsedMonth> {
  return query(USED_MONTHS, listOf(months.map((month) => ({ ...month }))));
}

export interface StoredReservationRow {
  readonly id: string;
  readonly key_id: string;
  readonly operation: LedgerOperation;
  readonly month: number;
  readonly tokens: number;
  readonly expires_at_ms: number;
  readonly given_back: number;
  readonly spending_day: number | null;
  readonly session: string | null;
  readonly session_began_ms: number | null;
}

const RESERVATION = `r.id, r.key_id, r.operation, r.month, r.tokens, r.expires_at_ms, r.given_back, r.spending_day,
  r.session, r.session_began_ms`;

const RESERVATIONS = statement<StoredReservationRow>(
  "reservations",
  ({ isIn }) => `select ${RESERVATION} from reservations r where ${isIn("r.id", 1)}`,
);

export function reservations(ids: readonly string[]): Query<StoredReservationRow> {
  return query(RESERVATIONS, JSON.stringify(ids));
}

/** A typing session by its key and the hash of its name. */
export interface SessionId {
  readonly account_id: string;
  readonly key_id: string;
  readonly session: string;
}

export interface SessionRow {
  readonly key_id: string;
  readonly session: string;
  readonly began_at_ms: number;
  readonly followers: number;
}

const SESSIONS = statement<SessionRow>(
  "sessions",
  ({ list }) => `
    select s.key_id, s.session, s.began_at_ms, s.followers
    from ${list(1, "w", "key_id text, session text")}
    join typing_sessions s on s.key_id = w.key_id and s.session = w.session`,
);

export function typingSessions(ids: readonly SessionId[]): Query<SessionRow> {
  return query(SESSIONS, listOf(ids.map((id) => ({ ...id }))));
}

const SESSION_RESERVATIONS = statement<StoredReservationRow>(
  "session_reservations",
  ({ list }) => `
    select ${RESERVATION} from ${list(1, "w", "account_id text, key_id text, session text")}
    join reservations r on r.account_id = w.account_id and r.given_back = 0 and r.key_id = w.key_id
      and r.session = w.session`,
);

export function sessionReservations(ids: readonly SessionId[]): Query<StoredReservationRow> {
  return query(SESSION_RESERVATIONS, listOf(ids.map((id) => ({ ...id }))));
}

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
  return query(STORED_RESPONSES, listOf(ids.map((id) => ({ ...id }))));
}

export interface RunningRequestRow extends Books {
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
  return query(RUNNING_REQUESTS, listOf(ids.map((id) => ({ ...id }))));
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

export interface KeyOfHash {
  readonly hash: string;
  readonly id: string;
  readonly kind: KeyKind;
}

const KEYS_BY_HASH = statement<KeyOfHash>(
  "keys_by_hash",
  ({ isIn }) => `select k.hash, k.id, k.kind from keys k where ${isIn("k.hash", 1)}`,
);

export function keysByHash(hashes: readonly string[]): Query<KeyOfHash> {
  return query(KEYS_BY_HASH, JSON.stringify(hashes));
}
