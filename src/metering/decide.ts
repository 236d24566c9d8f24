import { isPageKey, PAGE_CALLS_PER_MINUTE } from "../contract/pageKey.ts";
import type { Tier, TierTable } from "../contract/tiers.ts";
import { isWithin } from "../lib/networks.ts";
import { minuteEndSeconds, minuteOf, monthEndSeconds, presentPeriod } from "../lib/periods.ts";
import {
  type BrowserKey,
  browserDenial,
  capToday,
  coversPrice,
  dayBalance,
  spendOfDay,
} from "./browserKey.ts";
import type { Balance, CallRequest, Decision, FindTier, ReservationRequest } from "./store.ts";

const NO_TIER: Tier = { monthlyTokens: 0, ratePerMinute: 1 };

/** A key with its stored rate window. */
export interface KeyRow {
  readonly keyId: string;
  readonly accountId: string;
  readonly isRevoked: boolean;
  /** Its expiry has passed. The owner may change the expiry. */
  readonly isExpired?: boolean;
  /** Allowed client networks, separated by commas; any if absent. */
  readonly networks?: string;
  /** Set for a browser key. */
  readonly browser?: BrowserKey;
  readonly minute: number;
  readonly callsInMinute: number;
}

/** A stored account with the latest month that has a decision; month 0 if there is none. */
export interface StoredAccount {
  readonly accountId: string;
  readonly tierName: string;
  readonly isSuspended: boolean;
  readonly month: number;
  readonly used: number;
}

/** An account in its current month. */
export interface AccountRow extends StoredAccount {
  /** Tokens of `month` that unexpired reservations hold. */
  readonly reserved: number;
}

/** The terms of one call. */
export interface CallTerms {
  readonly price: number;
  /** Spent at once, unless the call reserves. */
  readonly charge: number;
  /** Reserves the price. */
  readonly reserves: boolean;
  /** An earlier request for the same call has counted it towards the rate limit. */
  readonly isCounted?: boolean;
  /**
   * The reason why the key does not allow the call: the client's network (`outside`), the page's origin, or the
   * operation (`scope`).
   */
  readonly denial?: "outside" | "origin" | "scope" | undefined;
}

export interface Decided {
  readonly outcome: Exclude<Decision["outcome"], "lapsed" | "repeated" | "conflict" | "full">;
  /** Tokens spent by this request; 0 unless granted. */
  readonly charged: number;
  readonly key: KeyRow;
  readonly account: AccountRow;
}

/**
 * Decides whether a call may proceed and what it costs, from a key's window and an account's month. Pure; both stores
 * call it inside one transaction. The account must be in its current month, see {@link presentPeriod}.
 */
export function decide(
  key: KeyRow,
  account: AccountRow,
  tier: Tier,
  nowMs: number,
  terms: CallTerms,
): Decided {
  const refused = (outcome: Decided["outcome"], row = key) => ({ outcome, charged: 0, key: row, account });
  if (key.isRevoked) return refused("revoked");
  if (key.isExpired) return refused("expired");
  const window = currentWindow(key, nowMs);
  if (!terms.isCounted && window.callsInMinute >= tier.ratePerMinute) return refused("rate", window);
  const counted = terms.isCounted ? window : { ...window, callsInMinute: window.callsInMinute + 1 };
  if (terms.denial !== undefined) return refused(terms.denial, counted);
  if (account.isSuspended) return refused("suspended", counted);
  if (terms.price > 0 && terms.price > available(account, tier)) return refused("quota", counted);
  const { browser } = counted;
  if (browser !== undefined && !coversPrice(browser.cap, terms.price)) return refused("daily", counted);
  if (terms.reserves) {
    const reserving = { ...account, reserved: account.reserved + terms.price };
    return { outcome: "granted", charged: 0, key: spendDay(counted, terms.price), account: reserving };
  }
  const charged = Math.min(terms.charge, terms.price);
  const spent = charged === 0 ? account : { ...account, used: account.used + charged };
  return { outcome: "granted", charged, key: spendDay(counted, charged), account: spent };
}

/** Returns the reason why a key does not allow a call, regardless of its allowance. */
export function denialOf(key: KeyRow, request: CallRequest | ReservationRequest): CallTerms["denial"] {
  if (key.networks !== undefined && request.skipIpCheck !== true && !isWithin(request.address, key.networks))
    return "outside";
  return key.browser && browserDenial(key.browser, request.browser, request.operation);
}

/**
 * Returns a key with its current minute and day, which are empty if the stored ones have passed or a wrong clock began
 * them.
 */
export function currentWindow(key: KeyRow, nowMs: number): KeyRow {
  const minute = presentPeriod(key.minute, nowMs, minuteOf);
  const window = minute === key.minute ? key : { ...key, minute, callsInMinute: 0 };
  if (window.browser === undefined) return window;
  return { ...window, browser: { ...window.browser, cap: capToday(window.browser.cap, nowMs) } };
}

function spendDay(key: KeyRow, tokens: number): KeyRow {
  if (key.browser === undefined) return key;
  return { ...key, browser: { ...key.browser, cap: spendOfDay(key.browser.cap, tokens) } };
}

/** Returns the tokens left this month; below 0 after a downgrade. */
export function available(account: AccountRow, tier: Tier): number {
  return tier.monthlyTokens - account.used - account.reserved;
}

/** Returns the balance after a decision. */
export function balanceOf(key: KeyRow, account: AccountRow, tier: Tier, nowMs: number): Balance {
  const balance = {
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
  return key.browser === undefined ? balance : { ...balance, keyDay: dayBalance(key.browser.cap) };
}

/**
 * Returns a function that finds the tier of a key. A tier missing from the table has no tokens and one call per minute.
 * @param pageRate calls per minute of the account page's own key, in every tier
 */
export function tierFinder(tiers: TierTable, pageRate = PAGE_CALLS_PER_MINUTE): FindTier {
  return (name, keyId) => {
    const tier = (Object.hasOwn(tiers, name) ? tiers[name] : undefined) ?? NO_TIER;
    return isPageKey(keyId) ? { ...tier, ratePerMinute: pageRate } : tier;
  };
}
