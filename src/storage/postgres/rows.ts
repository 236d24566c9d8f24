import type { LedgerOperation } from "../../contract/prices.ts";
import {
  type BatchRows,
  isOver,
  type StoredAccount,
  type StoredReservation,
} from "../../metering/batchRows.ts";
import type { KeyRow } from "../../metering/decide.ts";
import { monthOf, presentPeriod } from "../../metering/periods.ts";
import type {
  GiveBack,
  LockedAccount,
  MonthOfAccount,
  ReadKey,
  ReadReservation,
  UsedMonth,
} from "./statements.ts";

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
  readonly #withExpired = new Set<string>();

  constructor(
    locked: readonly LockedAccount[],
    keys: readonly ReadKey[],
    reservations: readonly ReadReservation[],
  ) {
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
      isGivenBack: row.given_back === 1 || row.expires_at_ms <= this.nowMs,
    };
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
