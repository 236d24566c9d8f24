import type { Tier } from "../contract/tiers.ts";
import { minuteEndSeconds, minuteOf, monthEndSeconds, monthOf } from "./periods.ts";
import type { Balance } from "./store.ts";

/** A key's rate window as it is stored. */
export interface KeyRow {
  readonly keyId: string;
  readonly accountId: string;
  readonly isRevoked: boolean;
  readonly minute: number;
  readonly callsInMinute: number;
}

/** An account's month as it is stored. */
export interface AccountRow {
  readonly accountId: string;
  readonly tierName: string;
  readonly isSuspended: boolean;
  readonly month: number;
  readonly used: number;
  /** Tokens of `month` that reservations hold at this moment, expired ones left out. */
  readonly reserved: number;
}

/**
 * What is asked of one key: `hold` sets the price aside, otherwise `charge` is spent at once. `hasSlot`: the call was counted
 * in its window when it was asked about before, so that its rate is not asked again.
 */
export interface Wanted {
  readonly price: number;
  readonly charge: number;
  readonly hold: boolean;
  readonly hasSlot?: boolean;
}

export interface Decided {
  readonly outcome: "granted" | "rate" | "quota" | "suspended" | "revoked";
  /** Spent by this ask; 0 unless granted. */
  readonly charged: number;
  readonly key: KeyRow;
  readonly account: AccountRow;
}

/**
 * Whether a call may go on and what it costs, from a key's window and an account's month. Pure: both stores apply it
 * under one transaction. A window and a month never go back: a clock that was set back stays in the later one.
 */
export function decide(key: KeyRow, account: AccountRow, tier: Tier, nowMs: number, wanted: Wanted): Decided {
  if (key.isRevoked) return { outcome: "revoked", charged: 0, key, account };
  const window = currentWindow(key, nowMs);
  const month = currentMonth(account, nowMs);
  if (!wanted.hasSlot && window.callsInMinute >= tier.ratePerMinute) {
    return { outcome: "rate", charged: 0, key: window, account: month };
  }
  const counted = wanted.hasSlot ? window : { ...window, callsInMinute: window.callsInMinute + 1 };
  if (month.isSuspended) return { outcome: "suspended", charged: 0, key: counted, account: month };
  if (wanted.price > 0 && wanted.price > available(month, tier)) {
    return { outcome: "quota", charged: 0, key: counted, account: month };
  }
  if (wanted.hold) {
    const held = { ...month, reserved: month.reserved + wanted.price };
    return { outcome: "granted", charged: 0, key: counted, account: held };
  }
  const charged = Math.min(wanted.charge, wanted.price);
  const spent = charged === 0 ? month : { ...month, used: month.used + charged };
  return { outcome: "granted", charged, key: counted, account: spent };
}

/** A key's window at this moment; empty when its minute has passed. */
export function currentWindow(key: KeyRow, nowMs: number): KeyRow {
  const minute = minuteOf(nowMs);
  return minute > key.minute ? { ...key, minute, callsInMinute: 0 } : key;
}

/** An account's month at this moment; nothing spent or reserved when a new one has begun. */
export function currentMonth(account: AccountRow, nowMs: number): AccountRow {
  const month = monthOf(nowMs);
  return month > account.month ? { ...account, month, used: 0, reserved: 0 } : account;
}

/** What may still be promised this month; below 0 after a downgrade. */
export function available(account: AccountRow, tier: Tier): number {
  return tier.monthlyTokens - account.used - account.reserved;
}

/** What a caller is told after a decision. */
export function balanceOf(key: KeyRow, account: AccountRow, tier: Tier, nowMs: number): Balance {
  return {
    accountId: account.accountId,
    tierName: account.tierName,
    rateLimit: tier.ratePerMinute,
    rateRemaining: Math.max(0, tier.ratePerMinute - key.callsInMinute),
    rateResetSeconds: minuteEndSeconds(key.minute),
    tokensLimit: tier.monthlyTokens,
    tokensUsed: account.used,
    tokensRemaining: Math.max(0, available(account, tier)),
    tokensResetSeconds: monthEndSeconds(account.month),
    month: account.month,
    nowMs,
  };
}
