import { textsIn } from "../../database/rows.ts";
import { isOpenJob } from "../../database/schema/jobs.ts";
import { daysOfMonth, monthOf, presentPeriod } from "../../lib/periods.ts";
import type { BatchRows } from "../batchRows.ts";
import type { SessionReservation, StoredReservation } from "../batchSessions.ts";
import type { KeyRow, StoredAccount } from "../decide.ts";
import type { EventAccount, PendingEvent } from "../eventDelivery.ts";
import type { StoredJob } from "../jobChunk.ts";
import type { IdempotencyState, StoredResponseTotals } from "../responses.ts";
import type { SessionProgress } from "../typingSession.ts";
import type { EventAccountRow, PendingRow } from "./events.ts";
import type {
  AccountLedger,
  LatestMonth,
  LockedJob,
  LockedKey,
  ReservationRow,
  ReservedMonth,
  RunningRequestRow,
  SessionRow,
  StoredResponseRow,
  StoredTotalsRow,
  UsedMonth,
} from "./reads.ts";

interface ReadBatch {
  readonly nowMs: number;
  readonly keys: readonly LockedKey[];
  readonly jobs: readonly LockedJob[];
  readonly months: readonly LatestMonth[];
  readonly reserved: readonly ReservedMonth[];
  readonly reservations: readonly ReservationRow[];
  readonly sessions: readonly SessionRow[];
  readonly sessionReservations: readonly ReservationRow[];
  readonly responses: readonly StoredResponseRow[];
  readonly running: readonly RunningRequestRow[];
  readonly totals: readonly StoredTotalsRow[];
  readonly totalBytes: number;
  readonly pending: readonly PendingRow[];
  readonly eventAccounts: readonly EventAccountRow[];
}

/** Earlier than any month of a clock: the account has no decision yet. */
const BEFORE_ALL_MONTHS = 0;

const NO_EVENTS = { lastSequence: 0, month: BEFORE_ALL_MONTHS, spent: 0 };

/** The rows of a batch, of live or of test keys, indexed for its decisions. */
export class StoredRows implements BatchRows {
  readonly nowMs: number;
  readonly #isOfLedger: (row: AccountLedger) => boolean;
  readonly totalResponseBytes: number;
  readonly #keys = new Map<string, LockedKey>();
  readonly #accounts = new Map<string, StoredAccount>();
  readonly #reserved = new Map<string, number>();
  readonly #used = new Map<string, number>();
  readonly #withExpired = new Set<string>();
  readonly #reservations: ReadonlyMap<string, ReservationRow>;
  readonly #sessions: ReadonlyMap<string, SessionRow>;
  readonly #sessionReservations: readonly ReservationRow[];
  readonly #responses: ReadonlyMap<string, StoredResponseRow>;
  readonly #running: ReadonlyMap<string, RunningRequestRow>;
  readonly #totals: ReadonlyMap<string, StoredResponseTotals>;
  readonly #jobs: ReadonlyMap<string, LockedJob>;
  readonly #pending: readonly PendingRow[];
  readonly #eventAccounts: ReadonlyMap<string, EventAccountRow>;

  constructor(read: ReadBatch, isTest: boolean) {
    const isOfLedger = (row: AccountLedger) => (row.isTest === 1) === isTest;
    this.#isOfLedger = isOfLedger;
    this.nowMs = read.nowMs;
    this.totalResponseBytes = read.totalBytes;
    const months = new Map(read.months.filter(isOfLedger).map((row) => [row.accountId, row]));
    for (const row of read.keys) {
      if ((row.kind === "test") !== isTest) continue;
      this.#keys.set(row.id, row);
      const month = months.get(row.account_id);
      this.#accounts.set(row.account_id, {
        accountId: row.account_id,
        tierName: row.tier,
        isSuspended: row.suspended === 1,
        month: month?.month ?? BEFORE_ALL_MONTHS,
        used: month?.used ?? 0,
      });
    }
    for (const { accountId, month, tokens, nextExpiryMs } of read.reserved.filter(isOfLedger)) {
      if (!this.#accounts.has(accountId)) continue;
      this.#reserved.set(`${accountId} ${month}`, tokens);
      if (nextExpiryMs <= read.nowMs) this.#withExpired.add(accountId);
    }
    this.#reservations = new Map(read.reservations.map((row) => [row.id, row]));
    this.#sessions = new Map(read.sessions.map((row) => [`${row.keyId} ${row.session}`, row]));
    this.#sessionReservations = read.sessionReservations;
    this.#responses = new Map(read.responses.map((row) => [`${row.accountId} ${row.id}`, row]));
    this.#running = new Map(
      read.running.filter(isOfLedger).map((row) => [`${row.accountId} ${row.idempotencyId}`, row]),
    );
    this.#totals = new Map(read.totals.map((row) => [row.accountId, row]));
    this.#jobs = new Map(read.jobs.map((row) => [row.id, row]));
    this.#pending = read.pending.filter(isOfLedger);
    this.#eventAccounts = new Map(read.eventAccounts.filter(isOfLedger).map((row) => [row.accountId, row]));
  }

  /**
   * Months whose usage must be summed from the ledger: months that begin with this batch, and other months of
   * reservations.
   */
  monthsToRead() {
    const months = new Map<string, { accountId: string; month: number; first: string; last: string }>();
    const want = (accountId: string, month: number) =>
      months.set(`${accountId} ${month}`, { accountId, month, ...daysOfMonth(month) });
    for (const { accountId, month: stored } of this.#accounts.values()) {
      const month = presentPeriod(stored, this.nowMs, monthOf);
      if (month !== stored) want(accountId, month);
    }
    for (const { keyId, month } of this.#reservations.values()) {
      const accountId = this.#keys.get(keyId)?.account_id;
      const stored = accountId === undefined ? undefined : this.#accounts.get(accountId)?.month;
      if (accountId === undefined || stored === undefined) continue;
      if (month !== stored || month !== presentPeriod(stored, this.nowMs, monthOf)) want(accountId, month);
    }
    return [...months.values()];
  }

  /** Accounts with expired reservations that were not released yet. */
  withExpired(): readonly string[] {
    return [...this.#withExpired];
  }

  learnUsed(months: readonly UsedMonth[]): void {
    for (const { accountId, month, used } of months.filter(this.#isOfLedger)) {
      this.#used.set(`${accountId} ${month}`, used);
    }
  }

  key(keyId: string): KeyRow | undefined {
    const row = this.#keys.get(keyId);
    if (row === undefined) return undefined;
    return {
      keyId,
      accountId: row.account_id,
      isRevoked: row.revoked_at !== null || (row.ends_at !== null && Date.parse(row.ends_at) <= this.nowMs),
      minute: row.minute,
      callsInMinute: row.calls_in_minute,
      ...(row.expires_at_ms !== null && row.expires_at_ms <= this.nowMs && { isExpired: true }),
      ...(row.networks !== null && { networks: row.networks }),
      ...(row.kind === "pub" && {
        browser: {
          origins: row.origins ?? "",
          mayLookUp: row.may_look_up === 1,
          cap: { limit: row.daily_tokens ?? 0, day: row.spending_day, spent: row.spent_in_day },
        },
      }),
    };
  }

  account(accountId: string): StoredAccount | undefined {
    return this.#accounts.get(accountId);
  }

  usedIn(accountId: string, month: number): number {
    const used = this.#used.get(`${accountId} ${month}`);
    if (used === undefined) throw new RangeError("the usage of a month was not read");
    return used;
  }

  reservedIn(accountId: string, month: number): number {
    return this.#reserved.get(`${accountId} ${month}`) ?? 0;
  }

  reservation(reservationId: string, keyId: string): StoredReservation | undefined {
    const row = this.#reservations.get(reservationId);
    if (row === undefined || row.keyId !== keyId) return undefined;
    return { ...row, isGivenBack: row.givenBack === 1 || row.expiresAtMs <= this.nowMs };
  }

  session(keyId: string, session: string): SessionProgress | undefined {
    return this.#sessions.get(`${keyId} ${session}`);
  }

  sessionReservations({ keyId }: Pick<KeyRow, "keyId">, session: string): readonly SessionReservation[] {
    return this.#sessionReservations.filter((row) => row.keyId === keyId && row.session === session);
  }

  entry(accountId: string, id: string): IdempotencyState | undefined {
    const row = this.#responses.get(`${accountId} ${id}`);
    const running = this.#running.get(`${accountId} ${id}`);
    return {
      ...(row !== undefined && { response: { ...row, numbers: textsIn(row.numbers) } }),
      ...(running !== undefined && { running }),
    };
  }

  responseTotals(accountId: string): StoredResponseTotals {
    return this.#totals.get(accountId) ?? { responses: 0, bytes: 0 };
  }

  pendingEvents(accountId: string, ids: readonly string[]): readonly PendingEvent[] {
    const requested = new Set(ids);
    return this.#pending.filter((row) => row.accountId === accountId && requested.has(row.id));
  }

  eventAccount(accountId: string): EventAccount {
    const row = this.#eventAccounts.get(accountId);
    const { lastSequence, month, spent, maxTokens } = row ?? { ...NO_EVENTS, maxTokens: null };
    return { lastSequence, month, spent, ...(maxTokens !== null && { maxTokens }) };
  }

  job(jobId: string): StoredJob | undefined {
    const row = this.#jobs.get(jobId);
    return row && { step: row.step, claim: row.claim, isOpen: isOpenJob(row.status) };
  }
}
