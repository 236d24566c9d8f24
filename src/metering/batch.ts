import type { LedgerOperation } from "../contract/prices.ts";
import { isAhead, minuteOf, minuteStartMs, monthOf, monthStartMs, presentPeriod } from "../lib/periods.ts";
import type { BatchChanges, BatchRows, NewReservation } from "./batchRows.ts";
import { BatchSessions, type Entry, type StoredReservation } from "./batchSessions.ts";
import { settleOfDay } from "./browserKey.ts";
import { type AccountRow, balanceOf, currentWindow, decide, denialOf, type KeyRow } from "./decide.ts";
import { BatchEvents } from "./eventDelivery.ts";
import { type ChargedChunk, isNextChunk } from "./jobChunk.ts";
import { BatchLedger } from "./ledger.ts";
import { OtherMonths } from "./otherMonths.ts";
import { BatchResponses } from "./responses.ts";
import type {
  CallRequest,
  ChargeRequest,
  Decision,
  EventDelivery,
  FindTier,
  ReservationRequest,
  SettlementRequest,
} from "./store.ts";

/**
 * Decides the requests of one transaction, in the same way for every store: reads rows through {@link BatchRows},
 * decides in memory in the order of the requests, and returns the changed rows for the store to write. One object
 * serves one transaction.
 */
export class Batch {
  readonly #rows: BatchRows;
  readonly #findTier: FindTier;
  readonly #nowMs: number;
  readonly #keys = new Map<string, KeyRow>();
  readonly #accounts = new Map<string, AccountRow>();
  readonly #otherMonths: OtherMonths;
  readonly #changedKeys = new Set<string>();
  readonly #changedAccounts = new Set<string>();
  readonly #reserved: NewReservation[] = [];
  readonly #settled = new Set<string>();
  readonly #sessions: BatchSessions;
  readonly #ledger: BatchLedger;
  readonly #rewound: { accountId: string; month: number }[] = [];
  readonly #responses: BatchResponses;
  readonly #chunks: ChargedChunk[] = [];
  readonly #events: BatchEvents;
  #clockSkewMs = 0;

  constructor(rows: BatchRows, findTier: FindTier) {
    this.#rows = rows;
    this.#findTier = findTier;
    this.#nowMs = rows.nowMs;
    this.#ledger = new BatchLedger(rows.nowMs);
    this.#sessions = new BatchSessions(rows);
    this.#events = new BatchEvents(rows, this.#ledger);
    this.#otherMonths = new OtherMonths(rows);
    this.#responses = new BatchResponses(rows, { reserved: this.#reserved, settled: this.#settled });
  }

  decide(request: ChargeRequest): Decision {
    this.#clockSkewMs = 0;
    const decision = this.#decide(request);
    if (this.#clockSkewMs === 0 || !("balance" in decision)) return decision;
    return { ...decision, balance: { ...decision.balance, clockSkewMs: this.#clockSkewMs } };
  }

  #decide(request: ChargeRequest): Decision {
    const key = this.#key(request.keyId);
    if (key === undefined) return { outcome: "revoked" };
    if (request.kind === "refusals") return this.#countRefusals(key, request.operation, request.count);
    if (request.kind === "events") return this.#deliver(key, request);
    if (request.kind === "settle") return this.#settle(key, request);
    return this.#call(key, request);
  }

  /** Returns every changed row. */
  changes(): BatchChanges {
    const months = [...this.#accounts.values()].filter((row) => this.#changedAccounts.has(row.accountId));
    const unsettled = this.#reserved.filter(({ id }) => !this.#settled.has(id));
    const newIds = new Set(this.#reserved.map(({ id }) => id));
    return {
      windows: [...this.#keys.values()].filter(({ keyId }) => this.#changedKeys.has(keyId)),
      months: [...months, ...this.#otherMonths.past((id) => this.#accounts.get(id)?.month ?? 0)],
      rewound: this.#rewound,
      reserved: unsettled.map((reservation) => this.#sessions.current(reservation, reservation)),
      settled: [...this.#settled],
      sessions: this.#sessions.changes(),
      changedReservations: this.#sessions.changedReservations().filter(({ id }) => !newIds.has(id)),
      ledger: this.#ledger.changes(),
      responses: this.#responses.added,
      chunks: this.#chunks,
      ...this.#events.changes(),
    };
  }

  #deliver(key: KeyRow, request: EventDelivery): Decision {
    const account = this.#account(key.accountId);
    const tier = this.#findTier(account.tierName, key.keyId);
    const window = currentWindow(key, this.#nowMs);
    const suspended = {
      outcome: "suspended",
      balance: balanceOf(window, account, tier, this.#nowMs),
    } as const;
    if (account.isSuspended) return suspended;
    const delivery = this.#events.deliver(account, tier, request);
    const { charged } = delivery;
    const spent = charged === 0 ? account : this.#spend(account, account.month, charged, 0);
    return { outcome: "granted", ...delivery, balance: balanceOf(window, spent, tier, this.#nowMs) };
  }

  #call(key: KeyRow, request: CallRequest | ReservationRequest): Decision {
    const before = this.#account(key.accountId);
    const tier = this.#findTier(before.tierName, key.keyId);
    const reserves = request.kind === "reserve";
    const isCounted = request.isCounted === true;
    const session = request.session === undefined ? undefined : this.#sessions.get(key, request.session);
    const entry = session?.entry(before.month, request.price) ?? "pays";
    const hit = request.idempotency && this.#responses.findHit(key.accountId, request.idempotency, reserves);
    // A replay only counts towards the rate limit.
    const isReplay = hit !== undefined;
    const price = isReplay || entry !== "pays" ? 0 : request.price;
    const charge = isReplay || request.kind === "reserve" ? 0 : request.charge;
    const denial = denialOf(key, request);
    const terms = { price, charge, reserves: reserves && !isReplay, isCounted, denial };
    const { outcome, charged, key: nextKey, account } = decide(key, before, tier, this.#nowMs, terms);
    if (outcome === "revoked" || outcome === "expired") return { outcome };
    this.#changeRows(nextKey, account, before);
    const line = this.#ledger.line(nextKey, account.month, request.operation);
    if (outcome === "rate") line.refusedByRate += 1;
    else if (!isCounted) line.requests += 1;
    if (outcome === "quota" || outcome === "daily") line.refusedByAllowance += 1;
    line.tokens += charged;
    const balance = balanceOf(nextKey, account, tier, this.#nowMs);
    if (outcome !== "granted") return { outcome, balance };
    if (hit !== undefined) return { ...hit, balance };
    if (request.kind === "call" && request.idempotency !== undefined)
      this.#responses.add(key.accountId, request.idempotency);
    if (request.kind === "reserve") this.#reserve(nextKey, account, request, price, entry);
    // A failed call, or one whose work is still to come, delivers nothing yet.
    if (session === undefined || charge === 0) return { outcome, charged, balance };
    // The first delivered call of a session spends the tokens that another call reserved.
    const sharedHold = entry === "shares" ? session.takeHold(account.month, charge) : undefined;
    line.sessionCalls += 1;
    if (session.admitFollowers(account.month)) line.sessions += 1;
    if (sharedHold === undefined) return { outcome, charged, balance };
    const { month, tokens, spendingDay } = sharedHold;
    line.tokens += charge;
    const spent = this.#spend(account, month, charge, tokens);
    const window = this.#settleDay(nextKey, spendingDay, charge - tokens);
    return { outcome, charged: charge, balance: balanceOf(window, spent, tier, this.#nowMs) };
  }

  #reserve(
    key: KeyRow,
    { accountId, month }: AccountRow,
    request: ReservationRequest,
    tokens: number,
    entry: Entry,
  ): void {
    const { reservationId: id, operation, session, idempotency } = request;
    const spendingDay = key.browser?.cap.day ?? null;
    const reservation = { id, month, tokens, expiresAtMs: this.#nowMs + request.lifetimeMs, spendingDay };
    const isOfSession = session !== undefined && (entry !== "pays" || tokens > 0);
    const ofSession = isOfSession
      ? { session, beganAtMs: this.#sessions.get(key, session).reserve(entry, reservation) }
      : { session: null, beganAtMs: null };
    this.#reserved.push({
      ...reservation,
      ...ofSession,
      accountId,
      keyId: key.keyId,
      operation,
      ...(idempotency && { idempotency }),
    });
  }

  #settle(key: KeyRow, request: SettlementRequest): Decision {
    const { reservationId, session, idempotency, chunk } = request;
    let window = currentWindow(key, this.#nowMs);
    const account = this.#account(key.accountId);
    const tier = this.#findTier(account.tierName, key.keyId);
    const lapsed = { outcome: "lapsed", balance: balanceOf(window, account, tier, this.#nowMs) } as const;
    const reservation = this.#reservation(reservationId, key);
    if (reservation === undefined) return lapsed;
    this.#settled.add(reservationId);
    // The reservation had expired, and the same request was repeated and answered in the meantime: this one is free.
    const hit = idempotency && this.#responses.findStoredHit(key.accountId, idempotency);
    const lostClaim = chunk !== undefined && !isNextChunk(chunk, this.#rows.job(chunk.jobId), this.#chunks);
    const charge = hit === undefined && !lostClaim ? request.charge : 0;
    const { month } = reservation;
    const { used, reserved } =
      month === account.month ? account : this.#otherMonths.get(key.accountId, month);
    // Tokens of an expired reservation may already be spent, so a late charge must be covered like any other.
    const isCovered = (tokens: number) => tokens <= tier.monthlyTokens - used - reserved;
    const settlement = this.#sessions.settle(key, session, reservation, { charge, isCovered });
    if (settlement === undefined) return lapsed;
    const { charged } = settlement;
    const settled = this.#spend(account, month, charged, settlement.freed);
    window = this.#settleDay(window, settlement.spendingDay, charged - settlement.reservedTokens);
    const line = this.#ledger.line(window, month, reservation.operation);
    line.tokens += charged;
    if (session !== undefined && charge > 0) line.sessionCalls += 1;
    if (settlement.beginsSession) line.sessions += 1;
    const balance = balanceOf(window, settled, tier, this.#nowMs);
    if (lostClaim) return { outcome: "lapsed", balance };
    if (chunk !== undefined) this.#chunks.push({ accountId: key.accountId, chunk, charged });
    if (hit !== undefined) return { ...hit, balance };
    if (idempotency !== undefined) this.#responses.add(key.accountId, idempotency);
    return { outcome: "granted", charged, balance };
  }

  /** Charges an account in a month and releases reserved tokens. @returns the account in its current month */
  #spend(account: AccountRow, month: number, tokens: number, freed: number): AccountRow {
    const { accountId } = account;
    if (month !== account.month) {
      this.#otherMonths.spend(accountId, month, tokens, freed);
      return account;
    }
    const settled = { ...account, used: account.used + tokens, reserved: account.reserved - freed };
    this.#accounts.set(accountId, settled);
    this.#changedAccounts.add(accountId);
    return settled;
  }

  /** Settles a key's daily cap. @param extraTokens tokens beyond those reserved; negative when fewer were spent */
  #settleDay(key: KeyRow, day: number | null, extraTokens: number): KeyRow {
    if (key.browser === undefined || day === null) return key;
    const settled = {
      ...key,
      browser: { ...key.browser, cap: settleOfDay(key.browser.cap, day, extraTokens) },
    };
    this.#keys.set(key.keyId, settled);
    this.#changedKeys.add(key.keyId);
    return settled;
  }

  /** Counts refusals. With a count of 0 it only returns the balance. */
  #countRefusals(key: KeyRow, operation: LedgerOperation, count: number): Decision {
    const account = this.#account(key.accountId);
    if (count > 0) this.#ledger.line(key, account.month, operation).refusedByRate += count;
    const tier = this.#findTier(account.tierName, key.keyId);
    const balance = balanceOf(currentWindow(key, this.#nowMs), account, tier, this.#nowMs);
    return { outcome: "granted", charged: 0, balance };
  }

  #changeRows(key: KeyRow, account: AccountRow, before: AccountRow): void {
    this.#keys.set(key.keyId, key);
    this.#changedKeys.add(key.keyId);
    this.#accounts.set(account.accountId, account);
    if (account.used !== before.used) this.#changedAccounts.add(account.accountId);
  }

  #key(keyId: string): KeyRow | undefined {
    const cached = this.#keys.get(keyId);
    if (cached !== undefined) return cached;
    const key = this.#rows.key(keyId);
    if (key === undefined) return undefined;
    this.#keys.set(keyId, key);
    if (isAhead(key.minute, this.#nowMs, minuteOf)) this.#recordClockCorrection(minuteStartMs(key.minute));
    return key;
  }

  /** Returns an account in its current month. */
  #account(accountId: string): AccountRow {
    const cached = this.#accounts.get(accountId);
    if (cached !== undefined) return cached;
    const stored = this.#rows.account(accountId);
    if (stored === undefined) throw new Error(`the account of a key is missing: ${accountId}`);
    const month = presentPeriod(stored.month, this.#nowMs, monthOf);
    let { used } = stored;
    if (month !== stored.month) {
      used = this.#rows.usedIn(accountId, month);
      // The month is written with its first decision, even without a charge, so that it cannot go back.
      this.#changedAccounts.add(accountId);
    }
    if (isAhead(stored.month, this.#nowMs, monthOf)) {
      this.#rewound.push({ accountId, month });
      this.#recordClockCorrection(monthStartMs(stored.month));
    }
    const account = { ...stored, month, used, reserved: this.#rows.reservedIn(accountId, month) };
    this.#accounts.set(accountId, account);
    return account;
  }

  #recordClockCorrection(startMs: number): void {
    this.#clockSkewMs = Math.max(this.#clockSkewMs, startMs - this.#nowMs);
  }

  /** Returns an unsettled reservation of this batch or an earlier one, in its current state. */
  #reservation(id: string, key: KeyRow): StoredReservation | undefined {
    if (this.#settled.has(id)) return undefined;
    const added = this.#reserved.find((row) => row.id === id && row.keyId === key.keyId);
    const stored =
      added === undefined ? this.#rows.reservation(id, key.keyId) : { ...added, isGivenBack: false };
    return stored && this.#sessions.current(key, stored);
  }
}
