import type { Tables } from "../../database/schema/tables.ts";
import { columnsOf, type LockedRows, type Query, type Statement, statement } from "../../database/sql.ts";
import type { SessionReservation, StoredReservation } from "../batchSessions.ts";
import type { IdempotencyState, StoredResponseTotals } from "../responses.ts";
import type { SessionProgress } from "../typingSession.ts";

type KeyColumn =
  | ("id" | "account_id" | "kind" | "revoked_at" | "ends_at" | "expires_at_ms" | "networks" | "origins")
  | ("may_look_up" | "daily_tokens" | "spending_day" | "spent_in_day" | "minute" | "calls_in_minute");
export type LockedKey = Readonly<
  Pick<Tables["keys"], KeyColumn> & Pick<Tables["accounts"], "tier" | "suspended">
>;

/**
 * Locks keys and their accounts, always in the same order, so that two batches never wait for each other. The lock on
 * an account also covers its months, reservations and ledger. `for no key update` lets others insert rows that refer to
 * the account. `accounts` comes first because a change of the tables locks that table first; see postgres/upgrade.ts.
 */
export const LOCK_KEYS = locking<LockedKey>(
  "lock_keys",
  ({ isIn, lock }, whenLocked) => `
    select k.id, k.account_id, k.kind, k.revoked_at, k.ends_at, k.expires_at_ms, k.networks, k.origins, k.may_look_up,
           k.daily_tokens, k.spending_day, k.spent_in_day, k.minute, k.calls_in_minute, a.tier, a.suspended
    from accounts a join keys k on k.account_id = a.id where ${isIn("k.id", 1)}
    order by a.id, k.id ${lock("a, k", whenLocked)}`,
);

export type LockedJob = Readonly<Pick<Tables["jobs"], "id" | "step" | "claim" | "status">>;

/** Locks background lists, so that none is ended or cancelled before the results of this batch are stored. */
export const LOCK_JOBS = locking<LockedJob>(
  "lock_jobs",
  ({ isIn, lock }, whenLocked) => `
    select j.id, j.step, j.claim, j.status from jobs j where ${isIn("j.id", 1)}
    order by j.id ${lock("j", whenLocked)}`,
);

function locking<Row>(
  name: string,
  text: (dialect: Parameters<Parameters<typeof statement>[1]>[0], whenLocked: LockedRows) => string,
): Readonly<Record<LockedRows, Statement<Row>>> {
  const of = (whenLocked: LockedRows) =>
    statement<Row>(`${name}_${whenLocked}`, (dialect) => text(dialect, whenLocked));
  return { skip: of("skip"), wait: of("wait") };
}

/** The accounts of keys that could not be locked. */
export const KEY_OWNERS = statement<{ readonly id: string; readonly accountId: string }>(
  "key_owners",
  ({ isIn }) => `select k.id, k.account_id as "accountId" from keys k where ${isIn("k.id", 1)}`,
);

/** The ledger of an account: of its live keys or of its test keys. */
export interface AccountLedger {
  readonly accountId: string;
  readonly isTest: number;
}

const LEDGER_COLUMNS = columnsOf("account_months", "account_id", "is_test");

export interface LatestMonth extends AccountLedger {
  /** Null, as `used`, for an account without a decision. */
  readonly month: number | null;
  readonly used: number | null;
  /** Whether there are reservations to read. */
  readonly reserves: number;
}

/** By key, so that it need not wait for the locked rows; an account and its kind of figures never change for a key. */
export const LATEST_MONTHS = statement<LatestMonth>("latest_months", ({ isIn }) => {
  const isTest = "case when k.kind = 'test' then 1 else 0 end";
  const latest = (column: string) => `(
      select m.${column} from account_months m where m.account_id = k.account_id and m.is_test = ${isTest}
      order by m.month desc limit 1
    ) as ${column}`;
  return `select k.account_id as "accountId", ${isTest} as "isTest", ${latest("month")}, ${latest("used")},
      case when exists (select 1 from reservations r where r.account_id = k.account_id and r.given_back = 0)
        then 1 else 0 end as reserves
    from keys k where ${isIn("k.id", 1)}`;
});

export interface ReservedMonth extends AccountLedger {
  readonly month: number;
  /** Of reservations that have not expired. */
  readonly tokens: number;
  readonly nextExpiryMs: number;
}

/** By account; the second parameter is the time. */
export const RESERVED_MONTHS = statement<ReservedMonth>(
  "reserved_months",
  ({ isIn, parameter }) => `
    select r.account_id as "accountId", r.is_test as "isTest", r.month, min(r.expires_at_ms) as "nextExpiryMs",
           cast(coalesce(sum(case when r.expires_at_ms > ${parameter(2)} then r.tokens end), 0) as bigint) as tokens
    from reservations r where r.given_back = 0 and ${isIn("r.account_id", 1)}
    group by r.account_id, r.is_test, r.month`,
);

export interface UsedMonth extends AccountLedger {
  readonly month: number;
  readonly used: number;
}

/** Tokens used in months, by the ledger. */
export const USED_MONTHS = statement<UsedMonth>(
  "used_months",
  ({ list }) => `
    select w.account_id as "accountId", w.is_test as "isTest", w.month, cast((
      select coalesce(sum(l.tokens), 0) from ledger l
      where l.account_id = w.account_id and l.is_test = w.is_test and l.day between w.first and w.last
    ) as bigint) as used
    from ${list(1, "w", `${LEDGER_COLUMNS}, month integer, first text, last text`)}`,
);

export interface ReservationRow extends Omit<StoredReservation, "isGivenBack">, SessionReservation {
  readonly keyId: string;
  readonly givenBack: number;
  readonly beganAtMs: number | null;
}

const RESERVATION = `r.id, r.key_id as "keyId", r.operation, r.month, r.tokens, r.expires_at_ms as "expiresAtMs",
  r.given_back as "givenBack", r.spending_day as "spendingDay", r.session, r.session_began_ms as "beganAtMs"`;

export const RESERVATIONS = statement<ReservationRow>(
  "reservations",
  ({ isIn }) => `select ${RESERVATION} from reservations r where ${isIn("r.id", 1)}`,
);

/** A typing session by its key and the hash of its name. */
export interface SessionRow extends SessionProgress {
  readonly keyId: string;
  readonly session: string;
}

export const SESSIONS = statement<SessionRow>(
  "sessions",
  ({ list }) => `
    select s.key_id as "keyId", s.session, s.began_at_ms as "beganAtMs", s.followers
    from ${list(1, "w", "key_id text, session text")}
    join typing_sessions s on s.key_id = w.key_id and s.session = w.session`,
);

export const SESSION_RESERVATIONS = statement<ReservationRow>(
  "session_reservations",
  ({ list }) => `
    select ${RESERVATION} from ${list(1, "w", "account_id text, key_id text, session text")}
    join reservations r on r.account_id = w.account_id and r.given_back = 0 and r.key_id = w.key_id
      and r.session = w.session`,
);

export interface StoredResponseRow extends Omit<NonNullable<IdempotencyState["response"]>, "numbers"> {
  readonly accountId: string;
  readonly id: string;
  /** As JSON. */
  readonly numbers: string;
}

export const STORED_RESPONSES = statement<StoredResponseRow>(
  "stored_responses",
  ({ list }) => `
    select k.account_id as "accountId", k.id, k.request_hash as "requestHash", k.status, k.names as numbers,
           k.answer as text, k.expires_at_ms as "expiresAtMs"
    from ${list(1, "w", "account_id text, id text")}
    join stored_responses k on k.account_id = w.account_id and k.id = w.id`,
);

export interface RunningRequestRow extends AccountLedger, NonNullable<IdempotencyState["running"]> {
  readonly idempotencyId: string;
}

/** Reservations of running requests by idempotency id, the one that expires last at the end. */
export const RUNNING_REQUESTS = statement<RunningRequestRow>(
  "running_requests",
  ({ list }) => `
    select r.account_id as "accountId", r.is_test as "isTest", r.idempotency_id as "idempotencyId", r.id as "reservationId",
           r.request_hash as "requestHash", r.expires_at_ms as "expiresAtMs"
    from ${list(1, "w", `${LEDGER_COLUMNS}, id text`)}
    join reservations r on r.account_id = w.account_id and r.given_back = 0 and r.is_test = w.is_test and r.idempotency_id = w.id
    order by r.expires_at_ms`,
);

export interface StoredTotalsRow extends StoredResponseTotals {
  readonly accountId: string;
}

/** By account; the second parameter is the time. */
export const STORED_TOTALS = statement<StoredTotalsRow>(
  "stored_totals",
  ({ isIn, parameter }) => `
    select t.account_id as "accountId", cast(sum(t.answers) as bigint) as responses, cast(sum(t.bytes) as bigint) as bytes
    from stored_response_totals t where t.ends_at_ms > ${parameter(2)} and ${isIn("t.account_id", 1)}
    group by t.account_id`,
);

const STORED_BYTES = statement<{ readonly bytes: number }>(
  "stored_bytes",
  ({ parameter }) =>
    `select cast(coalesce(sum(bytes), 0) as bigint) as bytes from stored_response_totals where ends_at_ms > ${parameter(1)}`,
);

/** The bytes used by the stored responses of all accounts. */
export function storedBytes(nowMs: number): Query<{ readonly bytes: number }> {
  return { statement: STORED_BYTES, values: [nowMs] };
}

export const KEYS_BY_HASH = statement<Readonly<Pick<Tables["keys"], "hash" | "id" | "kind" | "account_id">>>(
  "keys_by_hash",
  ({ isIn }) => `select k.hash, k.id, k.kind, k.account_id from keys k where ${isIn("k.hash", 1)}`,
);
