import type { JobStatus } from "../../contract/jobs.ts";
import type { KeyKind } from "../../contract/keyKinds.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import { type HeldRows, type Query, query, statement } from "./sql.ts";

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
 * `accounts` is named first: a change of the tables locks that table first, see postgres/upgrade.ts.
 */
const lockKeysStatement = (held: HeldRows) =>
  statement<LockedKey>(
    `lock_keys_${held}`,
    ({ isIn, lock }) => `
      select k.id, k.account_id, k.kind, k.revoked_at, k.ends_at, k.expires_at_ms, k.networks, k.origins, k.may_look_up,
             k.daily_tokens, k.spending_day, k.spent_in_day, k.minute, k.calls_in_minute, a.tier, a.suspended
      from accounts a join keys k on k.account_id = a.id where ${isIn("k.id", 1)}
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

/** The figures of an account: those of its live keys or those of its test keys. */
export interface Books {
  readonly accountId: string;
  readonly isTest: 0 | 1;
}

export interface BooksRow {
  readonly account_id: string;
  readonly is_test: number;
}

export const BOOKS = "account_id text, is_test integer";

export interface LatestMonth extends BooksRow {
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
  return query(LATEST_MONTHS, JSON.stringify(books));
}

export interface ReservedMonth extends BooksRow {
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

export interface UsedMonth extends BooksRow {
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

/** Tokens used in months, by the ledger. */
export function usedMonths(
  months: readonly (Books & { readonly month: number; readonly first: string; readonly last: string })[],
): Query<UsedMonth> {
  return query(USED_MONTHS, JSON.stringify(months));
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
  readonly accountId: string;
  readonly keyId: string;
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
  return query(SESSIONS, JSON.stringify(ids));
}

const SESSION_RESERVATIONS = statement<StoredReservationRow>(
  "session_reservations",
  ({ list }) => `
    select ${RESERVATION} from ${list(1, "w", "account_id text, key_id text, session text")}
    join reservations r on r.account_id = w.account_id and r.given_back = 0 and r.key_id = w.key_id
      and r.session = w.session`,
);

export function sessionReservations(ids: readonly SessionId[]): Query<StoredReservationRow> {
  return query(SESSION_RESERVATIONS, JSON.stringify(ids));
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
