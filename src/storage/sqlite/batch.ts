import type { LedgerOperation } from "../../contract/prices.ts";
import {
  type AccountRow,
  balanceOf,
  currentMonth,
  currentWindow,
  decide,
  type KeyRow,
} from "../../metering/decide.ts";
import { dayInMonth } from "../../metering/periods.ts";
import type { Ask, CallAsk, Decision, FindTier, ReserveAsk, SettleAsk } from "../../metering/store.ts";
import type { Statements } from "./statements.ts";

interface LedgerDelta {
  readonly accountId: string;
  readonly keyId: string;
  readonly day: string;
  readonly operation: LedgerOperation;
  requests: number;
  tokens: number;
  refusedByRate: number;
  refusedByAllowance: number;
}

/** Earlier than any month of a clock: an account that nothing was decided about yet. */
const BEFORE_ALL_MONTHS = 0;

/**
 * The asks of one transaction: every row is read once, decided on in memory in the order of the asks, and written
 * once. Use one object for one transaction.
 */
export class Batch {
  readonly #statements: Statements;
  readonly #findTier: FindTier;
  readonly #nowMs: number;
  readonly #keys = new Map<string, KeyRow>();
  readonly #accounts = new Map<string, AccountRow>();
  readonly #changedKeys = new Set<string>();
  readonly #changedAccounts = new Set<string>();
  readonly #days = new Map<number, string>();
  readonly #ledger = new Map<string, LedgerDelta>();

  constructor(statements: Statements, findTier: FindTier, nowMs: number) {
    this.#statements = statements;
    this.#findTier = findTier;
    this.#nowMs = nowMs;
  }

  decide(ask: Ask): Decision {
    const key = this.#key(ask.keyId);
    if (key === undefined) return { outcome: "revoked" };
    if (ask.kind === "refusals") return this.#countRefusals(key, ask.operation, ask.count);
    if (ask.kind === "settle") return this.#settle(key, ask);
    return this.#call(key, ask);
  }

  /** Writes every row that a decision changed. */
  write(): void {
    for (const keyId of this.#changedKeys) {
      const key = this.#keys.get(keyId);
      if (key !== undefined) this.#statements.writeWindow.run(key.minute, key.callsInMinute, keyId);
    }
    for (const accountId of this.#changedAccounts) {
      const account = this.#accounts.get(accountId);
      if (account !== undefined) this.#statements.writeMonth.run(accountId, account.month, account.used);
    }
    for (const line of this.#ledger.values()) {
      this.#statements.writeLedger.run(
        line.accountId,
        line.keyId,
        line.day,
        line.operation,
        line.requests,
        line.tokens,
        line.refusedByRate,
        line.refusedByAllowance,
      );
    }
  }

  #call(key: KeyRow, ask: CallAsk | ReserveAsk): Decision {
    const before = this.#account(key.accountId);
    const tier = this.#findTier(before.tierName);
    const hold = ask.kind === "reserve";
    const wanted = { price: ask.price, charge: hold ? 0 : ask.charge, hold };
    const { outcome, charged, key: nextKey, account } = decide(key, before, tier, this.#nowMs, wanted);
    if (outcome === "revoked") return { outcome };
    this.#keep(nextKey, account, before);
    const line = this.#line(nextKey, account.month, ask.operation);
    if (outcome === "rate") line.refusedByRate += 1;
    else line.requests += 1;
    if (outcome === "quota") line.refusedByAllowance += 1;
    line.tokens += charged;
    if (outcome === "granted" && hold) this.#reserve(nextKey, account, ask);
    const balance = balanceOf(nextKey, account, tier, this.#nowMs);
    return outcome === "granted" ? { outcome, charged, balance } : { outcome, balance };
  }

  #reserve(
    key: KeyRow,
    account: AccountRow,
    { reservationId, operation, price, lifetimeMs }: ReserveAsk,
  ): void {
    const expiresAtMs = this.#nowMs + lifetimeMs;
    this.#statements.reserve.run(
      reservationId,
      account.accountId,
      key.keyId,
      operation,
      account.month,
      price,
      expiresAtMs,
    );
  }

  #settle(key: KeyRow, { reservationId, charge }: SettleAsk): Decision {
    const window = currentWindow(key, this.#nowMs);
    const account = this.#account(key.accountId);
    const tier = this.#findTier(account.tierName);
    const lapsed = { outcome: "lapsed", balance: balanceOf(window, account, tier, this.#nowMs) } as const;
    const held = this.#statements.reservation.get(reservationId, key.keyId);
    if (held === undefined) return lapsed;
    this.#statements.unreserve.run(reservationId);
    const month = Number(held["month"]);
    const tokens = Number(held["tokens"]);
    const isGivenBack = held["given_back"] === 1;
    const charged = Math.min(charge, tokens);
    const isPresentMonth = month === account.month;
    const used = isPresentMonth ? account.used : this.#usedIn(key.accountId, month);
    const reserved = isPresentMonth ? account.reserved : this.#reservedIn(key.accountId, month);
    // What was given back may be spent by now: then this is a late charge, which must be covered like any other.
    if (isGivenBack && charged > tier.monthlyTokens - used - reserved) return lapsed;
    let settled = account;
    if (isPresentMonth) {
      settled = { ...account, used: used + charged, reserved: isGivenBack ? reserved : reserved - tokens };
      this.#accounts.set(account.accountId, settled);
      this.#changedAccounts.add(account.accountId);
    } else {
      this.#statements.writeMonth.run(key.accountId, month, used + charged);
    }
    this.#line(window, month, String(held["operation"]) as LedgerOperation).tokens += charged;
    return { outcome: "granted", charged, balance: balanceOf(window, settled, tier, this.#nowMs) };
  }

  #countRefusals(key: KeyRow, operation: LedgerOperation, count: number): Decision {
    const account = this.#account(key.accountId);
    this.#line(key, account.month, operation).refusedByRate += count;
    const tier = this.#findTier(account.tierName);
    const balance = balanceOf(currentWindow(key, this.#nowMs), account, tier, this.#nowMs);
    return { outcome: "granted", charged: 0, balance };
  }

  #keep(key: KeyRow, account: AccountRow, before: AccountRow): void {
    this.#keys.set(key.keyId, key);
    this.#changedKeys.add(key.keyId);
    this.#accounts.set(account.accountId, account);
    if (account.used !== before.used) this.#changedAccounts.add(account.accountId);
  }

  #key(keyId: string): KeyRow | undefined {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const row = this.#statements.key.get(keyId);
    if (row === undefined) return undefined;
    const key: KeyRow = {
      keyId,
      accountId: String(row["account_id"]),
      isRevoked: row["revoked"] === 1,
      minute: Number(row["minute"]),
      callsInMinute: Number(row["calls_in_minute"]),
    };
    this.#keys.set(keyId, key);
    return key;
  }

  /** An account in its present month. */
  #account(accountId: string): AccountRow {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const row = this.#statements.account.get(accountId);
    if (row === undefined) throw new Error(`the account of a key is missing: ${accountId}`);
    const latest = this.#statements.latestMonth.get(accountId);
    const stored: AccountRow = {
      accountId,
      tierName: String(row["tier"]),
      isSuspended: row["suspended"] === 1,
      month: latest === undefined ? BEFORE_ALL_MONTHS : Number(latest["month"]),
      used: latest === undefined ? 0 : Number(latest["used"]),
      reserved: 0,
    };
    const current = currentMonth(stored, this.#nowMs);
    // A month is written as soon as anything was decided in it, spent or not: so it cannot go back.
    if (current.month !== stored.month) this.#changedAccounts.add(accountId);
    const account = { ...current, reserved: this.#reservedIn(accountId, current.month) };
    this.#accounts.set(accountId, account);
    return account;
  }

  /** Tokens of a month that reservations hold. What has expired is given back first, once and for good. */
  #reservedIn(accountId: string, month: number): number {
    const held = this.#statements.held.get(month, accountId);
    const nextExpiry = held?.["next_expiry"] ?? null;
    if (nextExpiry === null || Number(nextExpiry) > this.#nowMs) return Number(held?.["tokens"] ?? 0);
    this.#statements.giveBack.run(accountId, this.#nowMs);
    return Number(this.#statements.held.get(month, accountId)?.["tokens"] ?? 0);
  }

  #usedIn(accountId: string, month: number): number {
    return Number(this.#statements.usedInMonth.get(accountId, month)?.["used"] ?? 0);
  }

  #day(month: number): string {
    let day = this.#days.get(month);
    if (day === undefined) {
      day = dayInMonth(this.#nowMs, month);
      this.#days.set(month, day);
    }
    return day;
  }

  #line(key: KeyRow, month: number, operation: LedgerOperation): LedgerDelta {
    const day = this.#day(month);
    const id = `${key.keyId} ${day} ${operation}`;
    let line = this.#ledger.get(id);
    if (line === undefined) {
      line = {
        accountId: key.accountId,
        keyId: key.keyId,
        day,
        operation,
        requests: 0,
        tokens: 0,
        refusedByRate: 0,
        refusedByAllowance: 0,
      };
      this.#ledger.set(id, line);
    }
    return line;
  }
}
