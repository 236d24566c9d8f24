import type { LedgerOperation } from "../../contract/prices.ts";
import type { KeyRow } from "../../metering/decide.ts";
import { type BatchRows, isOver, type StoredAccount, type StoredReservation } from "../rows.ts";
import type { GiveBack, LockedAccount, ReadKey, ReadReservation } from "./statements.ts";

/** Earlier than any month of a clock: an account that nothing was decided about yet. */
const BEFORE_ALL_MONTHS = 0;

/** The rows of a batch, all read before it is decided. */
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
    for (const row of reservations) {
      this.#reservations.set(row.id, row);
      this.#used.set(`${row.account_id} ${row.month}`, row.used);
    }
  }

  key(keyId: string): KeyRow | undefined {
    return this.#keys.get(keyId);
  }

  account(accountId: string): StoredAccount | undefined {
    return this.#accounts.get(accountId);
  }

  /** Of months of the reservations that were asked for; nothing else is asked. */
  usedIn(accountId: string, month: number): number {
    return this.#used.get(`${accountId} ${month}`) ?? 0;
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
