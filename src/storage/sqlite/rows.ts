import type { LedgerOperation } from "../../contract/prices.ts";
import {
  type BatchRows,
  boundsOf,
  isOver,
  type StoredAccount,
  type StoredReservation,
} from "../../metering/batchRows.ts";
import type { KeyRow } from "../../metering/decide.ts";
import { daysOfMonth } from "../../metering/periods.ts";
import type { Statements } from "./statements.ts";

/** Earlier than any month of a clock: an account that nothing was decided about yet. */
const BEFORE_ALL_MONTHS = 0;

/** The rows of the transaction that is open, read when a batch asks for them. */
export class SqliteRows implements BatchRows {
  readonly nowMs: number;
  readonly #statements: Statements;

  constructor(statements: Statements, nowMs: number) {
    this.#statements = statements;
    this.nowMs = nowMs;
  }

  key(keyId: string): KeyRow | undefined {
    const row = this.#statements.key.get(keyId);
    if (row === undefined) return undefined;
    return {
      keyId,
      accountId: String(row["account_id"]),
      isRevoked: row["revoked"] === 1 || isOver(row["ends_at"], this.nowMs),
      minute: Number(row["minute"]),
      callsInMinute: Number(row["calls_in_minute"]),
      ...boundsOf(row["expires_at_ms"], row["networks"], this.nowMs),
    };
  }

  account(accountId: string): StoredAccount | undefined {
    const row = this.#statements.account.get(accountId);
    if (row === undefined) return undefined;
    const latest = this.#statements.latestMonth.get(accountId);
    return {
      accountId,
      tierName: String(row["tier"]),
      isSuspended: row["suspended"] === 1,
      month: latest === undefined ? BEFORE_ALL_MONTHS : Number(latest["month"]),
      used: latest === undefined ? 0 : Number(latest["used"]),
    };
  }

  usedIn(accountId: string, month: number): number {
    const { first, last } = daysOfMonth(month);
    return Number(this.#statements.usedInMonth.get(accountId, first, last)?.["used"] ?? 0);
  }

  reservedIn(accountId: string, month: number): number {
    const held = this.#statements.held.get(month, accountId);
    const nextExpiry = held?.["next_expiry"] ?? null;
    if (nextExpiry === null || Number(nextExpiry) > this.nowMs) return Number(held?.["tokens"] ?? 0);
    this.#statements.giveBack.run(accountId, this.nowMs);
    return Number(this.#statements.held.get(month, accountId)?.["tokens"] ?? 0);
  }

  reservation(reservationId: string, keyId: string): StoredReservation | undefined {
    const row = this.#statements.reservation.get(reservationId, keyId);
    if (row === undefined) return undefined;
    return {
      operation: String(row["operation"]) as LedgerOperation,
      month: Number(row["month"]),
      tokens: Number(row["tokens"]),
      isGivenBack: row["given_back"] === 1 || Number(row["expires_at_ms"]) <= this.nowMs,
    };
  }
}
