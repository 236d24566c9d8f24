/** For tests: a model of a state store: one request at a time, no optimisation, no SQL. */
import type { TierTable } from "../../../src/contract/tiers.ts";
import type { LedgerLine } from "../../../src/metering/ledger.ts";
import type { ChargeRequest, EventDelivery, SettlementRequest } from "../../../src/metering/store.ts";
import { NO_FIGURES } from "../../../src/metering/usage.ts";
import { type ModelReservation, SessionModel } from "./sessionModel.ts";

const FIVE_MINUTES_MS = 300_000;

interface ModelKey {
  readonly accountId: string;
  isRevoked: boolean;
  /** Null if there is none. */
  expiresAtMs: number | null;
  /** Calls in tests have no client address. */
  isForSomeAddresses: boolean;
  minute: number;
  calls: number;
}

interface ModelAccount {
  tierName: string;
  isSuspended: boolean;
  /** `YYYY-MM`, the latest one seen */
  month: string;
  readonly used: Map<string, number>;
}

/** The compared parts of a decision. */
export interface Expected {
  readonly outcome: string;
  readonly charged: number;
  readonly tokensUsed?: number;
  readonly tokensRemaining?: number;
  readonly rateRemaining?: number;
}

/** Requests that the model knows: deliveries of events have their own tests. */
export type ModelledRequest = Exclude<ChargeRequest, EventDelivery>;

export class StateStoreModel {
  readonly keys = new Map<string, ModelKey>();
  readonly accounts = new Map<string, ModelAccount>();
  readonly reservations = new Map<string, ModelReservation>();
  readonly #sessions = new SessionModel(this.reservations);
  readonly #lines = new Map<string, Writable<LedgerLine>>();
  readonly #tiers: TierTable;

  constructor(tiers: TierTable) {
    this.#tiers = tiers;
  }

  apply(request: ModelledRequest, nowMs: number): Expected {
    const key = this.keys.get(request.keyId);
    if (key === undefined) return { outcome: "revoked", charged: 0 };
    const account = this.#account(key.accountId);
    this.#pass(key.accountId, nowMs);
    if (request.kind === "refusals") {
      this.#line(request.keyId, account.month, request.operation, nowMs).refusedByRate += request.count;
      return this.#decision("granted", 0, key, nowMs);
    }
    if (request.kind === "settle") return this.#settle(request, key, nowMs);
    if (key.isRevoked) return { outcome: "revoked", charged: 0 };
    if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return { outcome: "expired", charged: 0 };
    const tier = this.#tier(account);
    const line = this.#line(request.keyId, account.month, request.operation, nowMs);
    this.#turnMinute(key, nowMs);
    if (request.isCounted !== true && key.calls >= tier.ratePerMinute) {
      line.refusedByRate += 1;
      return this.#decision("rate", 0, key, nowMs);
    }
    if (request.isCounted !== true) {
      key.calls += 1;
      line.requests += 1;
    }
    if (key.isForSomeAddresses) return this.#decision("outside", 0, key, nowMs);
    if (account.isSuspended) return this.#decision("suspended", 0, key, nowMs);
    const open = this.#sessions.follows(request, nowMs);
    const follows = open !== undefined;
    const { keyId, session } = request;
    const shares = !follows && this.#sessions.shares(request, account.month, request.price, nowMs);
    const price = follows || shares ? 0 : request.price;
    if (price > 0 && price > this.#free(key.accountId, account.month)) {
      line.refusedByAllowance += 1;
      return this.#decision("quota", 0, key, nowMs);
    }
    if (request.kind === "reserve") {
      this.reservations.set(request.reservationId, {
        keyId: request.keyId,
        accountId: key.accountId,
        operation: request.operation,
        month: account.month,
        tokens: price,
        expiresAtMs: nowMs + request.lifetimeMs,
        isGivenBack: false,
        session: follows || shares || price > 0 ? session : undefined,
        placedAtMs: open?.beganAtMs,
      });
      if (follows) this.#sessions.takePlace(request, account.month, nowMs);
      return this.#decision("granted", 0, key, nowMs);
    }
    const charged = follows ? 0 : request.charge;
    if (shares && charged > 0) this.#sessions.takeHold(keyId, session, account.month, charged, nowMs);
    line.tokens += charged;
    account.used.set(account.month, this.used(key.accountId, account.month) + charged);
    if (request.session !== undefined && request.charge > 0) {
      line.sessionCalls += 1;
      if (!follows) line.sessions += 1;
      this.#sessions.takePlace(request, account.month, nowMs);
    }
    return this.#decision("granted", charged, key, nowMs);
  }

  used(accountId: string, month: string): number {
    return this.#account(accountId).used.get(month) ?? 0;
  }

  /** The current month: the latest one seen if it has begun or begins within five minutes, otherwise the clock's. */
  presentMonth(accountId: string, nowMs: number): string {
    const nameOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
    const last = this.#account(accountId).month;
    const [now, soon] = [nameOf(nowMs), nameOf(nowMs + FIVE_MINUTES_MS)];
    return last > now && last <= soon ? last : now;
  }

  /** Tokens that are reserved and not released. */
  reserved(accountId: string, month: string): number {
    let sum = 0;
    for (const reservation of this.reservations.values()) {
      if (reservation.accountId === accountId && reservation.month === month && !reservation.isGivenBack)
        sum += reservation.tokens;
    }
    return sum;
  }

  /** The ledger of an account in the store's order. */
  ledger(accountId: string): LedgerLine[] {
    const orderOf = ({ day, keyId, operation }: LedgerLine) => `${day} ${keyId} ${operation}`;
    return [...this.#lines.values()]
      .filter(({ keyId }) => this.keys.get(keyId)?.accountId === accountId)
      .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  #settle(request: SettlementRequest, key: ModelKey, nowMs: number): Expected {
    const { reservationId: id, keyId, charge, session } = request;
    const reservation = this.reservations.get(id);
    if (reservation === undefined || reservation.keyId !== keyId)
      return this.#decision("lapsed", 0, key, nowMs);
    this.reservations.delete(id);
    const { month, placedAtMs } = reservation;
    const shares = reservation.session !== undefined && reservation.tokens === 0 && placedAtMs === undefined;
    const isPriced = session !== undefined && charge > 0 && (reservation.tokens > 0 || shares);
    const follows = isPriced && this.#sessions.follows(request, nowMs) !== undefined;
    const price = shares ? charge : Math.min(charge, reservation.tokens);
    const charged = follows ? 0 : price;
    const isCovered =
      isPriced && shares && !follows
        ? this.#sessions.takeHold(keyId, session, month, charge, nowMs)
        : !reservation.isGivenBack && !(shares && charged > 0);
    if (!isCovered && charged > this.#free(reservation.accountId, month))
      return this.#decision("lapsed", 0, key, nowMs);
    if (session !== undefined && charge === 0 && placedAtMs !== undefined) {
      this.#sessions.givePlaceBack(keyId, session, placedAtMs);
    }
    // Unspent tokens go first to the calls that share them, then back to the allowance.
    if (
      charged === 0 &&
      reservation.tokens > 0 &&
      !reservation.isGivenBack &&
      session === reservation.session
    ) {
      this.#sessions.passOn(reservation, nowMs);
    }
    const account = this.#account(reservation.accountId);
    account.used.set(month, this.used(reservation.accountId, month) + charged);
    const line = this.#line(keyId, month, reservation.operation, nowMs);
    line.tokens += charged;
    if (session !== undefined && charge > 0) line.sessionCalls += 1;
    if (isPriced && !follows) line.sessions += 1;
    if (isPriced) this.#sessions.takePlace(request, month, nowMs);
    return this.#decision("granted", charged, key, nowMs);
  }

  /** Advances an account's time: begins a new month, and releases expired reservations for good. */
  #pass(accountId: string, nowMs: number): void {
    const account = this.#account(accountId);
    account.month = this.presentMonth(accountId, nowMs);
    for (const reservation of this.reservations.values()) {
      if (reservation.accountId === accountId && reservation.expiresAtMs <= nowMs)
        reservation.isGivenBack = true;
    }
  }

  #turnMinute(key: ModelKey, nowMs: number): void {
    const minute = Math.floor(nowMs / 60_000);
    if (!isOtherMinute(key, minute)) return;
    key.minute = minute;
    key.calls = 0;
  }

  #free(accountId: string, month: string): number {
    const { monthlyTokens } = this.#tier(this.#account(accountId));
    return monthlyTokens - this.used(accountId, month) - this.reserved(accountId, month);
  }

  #decision(outcome: string, charged: number, key: ModelKey, nowMs: number): Expected {
    const account = this.#account(key.accountId);
    const calls = isOtherMinute(key, Math.floor(nowMs / 60_000)) ? 0 : key.calls;
    return {
      outcome,
      charged,
      tokensUsed: this.used(key.accountId, account.month),
      tokensRemaining: Math.max(0, this.#free(key.accountId, account.month)),
      rateRemaining: Math.max(0, this.#tier(account).ratePerMinute - calls),
    };
  }

  /** A charge is recorded under a day of its month: today, or the nearest day in that month. */
  #line(keyId: string, month: string, operation: LedgerLine["operation"], nowMs: number) {
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const [year, monthOfYear] = month.split("-").map(Number);
    const lastDay = new Date(Date.UTC(year ?? 0, monthOfYear ?? 0, 0)).toISOString().slice(0, 10);
    const nearest = today < month ? `${month}-01` : lastDay;
    const day = today.startsWith(month) ? today : nearest;
    const id = `${keyId} ${day} ${operation}`;
    const line = this.#lines.get(id) ?? { keyId, day, operation, ...NO_FIGURES };
    this.#lines.set(id, line);
    return line;
  }

  #account(id: string): ModelAccount {
    const account = this.accounts.get(id);
    if (account === undefined) throw new RangeError(`the model has no account ${id}`);
    return account;
  }

  #tier({ tierName }: ModelAccount) {
    return this.#tiers[tierName] ?? { monthlyTokens: 0, ratePerMinute: 1 };
  }
}

/** Whether a key's window is over, or more than five minutes ahead. */
function isOtherMinute({ minute: last }: ModelKey, minute: number): boolean {
  return minute > last || last > minute + 5;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
