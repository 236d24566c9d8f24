import type { LedgerOperation } from "../../contract/prices.ts";
import {
  type BatchRows,
  boundsOf,
  isOver,
  type KeptTotals,
  type SessionReservation,
  type StoredAccount,
  type StoredKept,
  type StoredReservation,
} from "../../metering/batchRows.ts";
import type { KeyRow } from "../../metering/decide.ts";
import type { StoredJob } from "../../metering/jobChunk.ts";
import { daysOfMonth, monthOf, presentPeriod } from "../../metering/periods.ts";
import type { SessionProgress } from "../../metering/typingSession.ts";
import { type Books, isOfBooks } from "../books.ts";
import { arrayLiteral, columnLiterals } from "./arrayLiterals.ts";
import { type ReadJob, storedJob } from "./chunkStatements.ts";
import { NOW_MS } from "./commitOutcome.ts";
import type { KeptRows } from "./keptRows.ts";
import { type ReadSession, SessionRows } from "./sessionRows.ts";
import type { PreparedStatement } from "./statementGroup.ts";
import type { GiveBack, LockedAccount } from "./statements.ts";

/** The time in parameter 2, which tests set, or that of the database. */
const MOMENT = `coalesce($2::bigint, ${NOW_MS})`;

export interface ReadKey {
  readonly now_ms: number;
  /** Null in the one row that tells the time when there is none of the keys. */
  readonly id: string | null;
  readonly account_id: string;
  readonly is_revoked: boolean;
  /** When a key that was rolled ends, ISO 8601. */
  readonly ends_at: string | null;
  readonly minute: number;
  readonly calls_in_minute: number;
  readonly expires_at_ms: number | null;
  readonly networks: string | null;
  readonly browser: string | null;
  readonly month: number | null;
  readonly used: number | null;
  /** By month: what is reserved in it, and whether there is something to give back. */
  readonly held: readonly (readonly [month: number, tokens: number, hasExpired: boolean])[] | null;
}

/**
 * Reads keys, the latest month of their accounts and what is reserved, after the locks are held: a statement of its own
 * sees all that was committed before it began, which the one that had to wait for the locks does not.
 */
export function readKeys(
  keyIds: readonly string[],
  testNowMs: number | undefined,
  books: Books,
): PreparedStatement {
  const { months, reservations } = books;
  return {
    name: `opzoek_read_${months}`,
    text: `with moment as (select ${MOMENT} as now_ms)
           select moment.now_ms, k.id, k.account_id, k.revoked_at is not null as is_revoked, k.ends_at,
                  k.minute, k.calls_in_minute, k.expires_at_ms, k.networks, m.month, m.used, h.held,
                  case k.kind when 'pub' then json_build_array(coalesce(k.origins, ''), k.may_look_up,
                    coalesce(k.daily_tokens, 0), k.spending_day, k.spent_in_day)::text end as browser
           from moment
           left join keys k on k.id = any($1::text[]) and k.kind ${isOfBooks(books)}
           left join lateral (
             select month, used from ${months}
             where account_id = k.account_id order by month desc limit 1
           ) m on true
           left join lateral (
             select json_agg(json_build_array(r.month, r.tokens, r.has_expired)) as held from (
               select month, coalesce(sum(tokens) filter (where expires_at_ms > moment.now_ms), 0) as tokens,
                      bool_or(expires_at_ms <= moment.now_ms) as has_expired
               from ${reservations} where account_id = k.account_id and given_back = 0 group by month
             ) r
           ) h on true`,
    values: [arrayLiteral(keyIds), testNowMs ?? null],
  };
}

export interface ReadReservation {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly operation: string;
  readonly month: number;
  readonly tokens: number;
  readonly expires_at_ms: number;
  readonly given_back: number;
  readonly spending_day: number | null;
  readonly session: string | null;
  readonly session_began_ms: number | null;
}

export function readReservations(ids: readonly string[], { reservations }: Books): PreparedStatement {
  return {
    name: `opzoek_read_${reservations}`,
    text: `select id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back, spending_day,
                  session, session_began_ms
           from ${reservations} where id = any($1::text[])`,
    values: [arrayLiteral(ids)],
  };
}

/** A month of an account whose use only the ledger tells. */
export interface MonthOfAccount {
  readonly accountId: string;
  readonly month: number;
}

export interface UsedMonth {
  readonly account_id: string;
  readonly month: number;
  readonly used: number;
}

/** What was used in months, from the ledger with its open lines. For months that are not stored last: few batches need it. */
export function readUsed(months: readonly MonthOfAccount[], { ledger, isTest }: Books): PreparedStatement {
  const rows = months.map((asked) => ({ ...asked, ...daysOfMonth(asked.month) }));
  return {
    name: `opzoek_used_${ledger}`,
    text: `select asked.account_id, asked.month, (filed.tokens + opened.tokens)::bigint as used
           from unnest($1::text[], $2::integer[], $3::text[], $4::text[]) as asked (account_id, month, first, last)
           cross join lateral (
             select coalesce(sum(tokens), 0) as tokens from ${ledger}
             where account_id = asked.account_id and day between asked.first and asked.last
           ) as filed
           cross join lateral (
             select coalesce(sum(open_tokens), 0) as tokens from keys
             where ${!isTest} and account_id = asked.account_id and open_day between asked.first and asked.last
           ) as opened`,
    values: columnLiterals(rows, ["accountId", "month", "first", "last"]),
  };
}

/** Earlier than any month of a clock: an account that nothing was decided about yet. */
const BEFORE_ALL_MONTHS = 0;

/** The rows of a batch, all read before it is decided: what {@link monthsToRead} names is read after the rest. */
export class PostgresRows implements BatchRows {
  readonly nowMs: number;
  readonly #keys = new Map<string, KeyRow>();
  readonly #accounts = new Map<string, StoredAccount>();
  readonly #reserved = new Map<string, number>();
  readonly #used = new Map<string, number>();
  readonly #reservations = new Map<string, ReadReservation>();
  readonly #sessions: SessionRows;
  readonly #withExpired = new Set<string>();
  readonly #kept: KeptRows | undefined;
  readonly #jobs: readonly ReadJob[];

  constructor({
    locked,
    keys,
    reservations,
    sessions,
    kept,
    jobs,
  }: {
    readonly locked: readonly LockedAccount[];
    readonly keys: readonly ReadKey[];
    readonly reservations: readonly ReadReservation[];
    readonly sessions: readonly ReadSession[];
    /** Undefined when no request of the batch is known again. */
    readonly kept: KeptRows | undefined;
    readonly jobs: readonly ReadJob[];
  }) {
    this.#jobs = jobs;
    this.#kept = kept;
    this.#sessions = new SessionRows(sessions);
    this.nowMs = keys[0]?.now_ms ?? 0;
    const accounts = new Map(locked.map((account) => [account.id, account]));
    for (const row of keys) {
      if (row.id === null) continue;
      const account = accounts.get(row.account_id);
      // A key that was made while the locks were taken: nobody can have called with it yet.
      if (account === undefined) continue;
      this.#takeKey(row.id, row);
      this.#takeAccount(account, row);
    }
    for (const row of reservations) this.#reservations.set(row.id, row);
  }

  /** The months whose use is read from the ledger: those that begin with this batch, and those of reservations of another one. */
  monthsToRead(): MonthOfAccount[] {
    const wanted = new Map<string, MonthOfAccount>();
    const want = (accountId: string, month: number) =>
      wanted.set(`${accountId} ${month}`, { accountId, month });
    for (const { accountId, month: stored } of this.#accounts.values()) {
      const month = presentPeriod(stored, this.nowMs, monthOf);
      if (month !== stored) want(accountId, month);
    }
    for (const { account_id: accountId, month } of this.#reservations.values()) {
      const stored = this.#accounts.get(accountId)?.month;
      if (month !== stored || month !== presentPeriod(stored, this.nowMs, monthOf)) want(accountId, month);
    }
    return [...wanted.values()];
  }

  learnUsed(months: readonly UsedMonth[]): void {
    for (const { account_id: accountId, month, used } of months)
      this.#used.set(`${accountId} ${month}`, used);
  }

  key(keyId: string): KeyRow | undefined {
    return this.#keys.get(keyId);
  }

  account(accountId: string): StoredAccount | undefined {
    return this.#accounts.get(accountId);
  }

  usedIn(accountId: string, month: number): number {
    const used = this.#used.get(`${accountId} ${month}`);
    if (used === undefined) throw new RangeError("a month's use was not read");
    return used;
  }

  reservedIn(accountId: string, month: number): number {
    return this.#reserved.get(`${accountId} ${month}`) ?? 0;
  }

  reservation(reservationId: string, keyId: string): StoredReservation | undefined {
    const row = this.#reservations.get(reservationId);
    if (row === undefined || row.key_id !== keyId) return undefined;
    return {
      operation: row.operation as LedgerOperation,
      month: row.month,
      tokens: row.tokens,
      spendingDay: row.spending_day,
      isGivenBack: row.given_back === 1 || row.expires_at_ms <= this.nowMs,
      session: row.session,
      beganAtMs: row.session_began_ms,
    };
  }

  session(keyId: string, session: string): SessionProgress | undefined {
    return this.#sessions.progress(keyId, session);
  }

  sessionReservations({ keyId }: Pick<KeyRow, "keyId">, session: string): readonly SessionReservation[] {
    return this.#sessions.reservations(keyId, session);
  }

  kept(accountId: string, id: string): StoredKept | undefined {
    return this.#kept?.kept(accountId, id);
  }

  keptTotals(accountId: string): KeptTotals {
    return this.#kept?.totals(accountId) ?? { answers: 0, bytes: 0 };
  }

  get keptBytesOfAll(): number {
    return this.#kept?.bytesOfAll ?? 0;
  }

  job(jobId: string): StoredJob | undefined {
    return storedJob(this.#jobs.find(({ id }) => id === jobId));
  }

  /** What has expired and must be given back for good with this batch. */
  giveBack(): GiveBack {
    return { accountIds: [...this.#withExpired], nowMs: this.nowMs };
  }

  #takeKey(keyId: string, row: ReadKey): void {
    this.#keys.set(keyId, {
      keyId,
      accountId: row.account_id,
      isRevoked: row.is_revoked || isOver(row.ends_at, this.nowMs),
      minute: row.minute,
      callsInMinute: row.calls_in_minute,
      ...boundsOf(row.expires_at_ms, row.networks, row.browser, this.nowMs),
    });
  }

  #takeAccount({ id, tier, suspended }: LockedAccount, { month, used, held }: ReadKey): void {
    if (this.#accounts.has(id)) return;
    this.#accounts.set(id, {
      accountId: id,
      tierName: tier,
      isSuspended: suspended === 1,
      month: month ?? BEFORE_ALL_MONTHS,
      used: used ?? 0,
    });
    for (const [heldMonth, tokens, hasExpired] of held ?? []) {
      this.#reserved.set(`${id} ${heldMonth}`, tokens);
      if (hasExpired) this.#withExpired.add(id);
    }
  }
}
