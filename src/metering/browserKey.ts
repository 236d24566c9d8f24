/** Keys for browsers: where they may be used, for what, and how much they may spend a day. */
import type { LedgerOperation } from "../contract/prices.ts";
import { isListedOrigin } from "../lib/origins.ts";
import { presentPeriod, utcDayEndSeconds, utcDayOf } from "./periods.ts";

/** What a key for browsers may do, and where: anybody can copy it out of a page. */
export interface BrowserKey {
  /** The origins of pages that it may be used from, separated by commas, as `lib/origins.ts` compares them. */
  readonly origins: string;
  readonly mayLookUp: boolean;
  readonly cap: DailyCap;
}

/** Where a call of a browser comes from. */
export interface BrowserCaller {
  /** The page's origin; absent where the browser told none. */
  readonly origin?: string | undefined;
}

/** Whether something may be called with what anybody can copy. What leads nowhere (`other`) is answered as such. */
export function mayBrowserCall(operation: LedgerOperation, mayLookUp: boolean): boolean {
  return operation === "autocomplete" || operation === "other" || (operation === "lookup" && mayLookUp);
}

/** Why a call with a key for browsers is refused, whatever it asks for; `undefined` when it is not. */
export function browserDenial(
  key: BrowserKey,
  caller: BrowserCaller | undefined,
  operation: LedgerOperation,
): "origin" | "scope" | undefined {
  if (!isListedOrigin(caller?.origin, key.origins)) return "origin";
  return mayBrowserCall(operation, key.mayLookUp) ? undefined : "scope";
}

/** The daily cap of a key (UTC) and its use. Its day never goes back but where the clock was wrong, as windows and months do. */
export interface DailyCap {
  /** Tokens a day. */
  readonly limit: number;
  /** Days since 1970. */
  readonly day: number;
  /** Spent on that day, or set aside by work that is under way. */
  readonly spent: number;
}

/** A cap on the present day. */
export function capToday(cap: DailyCap, nowMs: number): DailyCap {
  const day = presentPeriod(cap.day, nowMs, utcDayOf);
  return day === cap.day ? cap : { ...cap, day, spent: 0 };
}

/** Whether a price is covered by what is left of the present day. */
export function coversPrice(cap: DailyCap, price: number): boolean {
  return price === 0 || price <= cap.limit - cap.spent;
}

/** After so many tokens were spent or set aside. */
export function spendOfDay(cap: DailyCap, tokens: number): DailyCap {
  return tokens === 0 ? cap : { ...cap, spent: cap.spent + tokens };
}

/**
 * After something was settled that had set tokens aside on a day: what was not spent of them is left again, if it is that day still.
 * @param more what it came to beyond what was set aside: 0 or less
 */
export function settleOfDay(cap: DailyCap, day: number, more: number): DailyCap {
  return day === cap.day ? { ...cap, spent: Math.max(0, cap.spent + more) } : cap;
}

/** The use of a key's daily cap, as callers see it. */
export interface DayBalance {
  readonly limit: number;
  readonly remaining: number;
  /** When the next day begins, Unix seconds. */
  readonly resetSeconds: number;
}

export function dayBalance({ limit, day, spent }: DailyCap): DayBalance {
  return { limit, remaining: Math.max(0, limit - spent), resetSeconds: utcDayEndSeconds(day) };
}
