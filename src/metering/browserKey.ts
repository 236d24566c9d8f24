/** Browser keys: the pages they work on, the operations they allow, and their daily cap. */
import type { LedgerOperation } from "../contract/prices.ts";
import { isListedOrigin } from "../lib/origins.ts";
import { presentPeriod, utcDayEndSeconds, utcDayOf } from "../lib/periods.ts";

/** The restrictions of a browser key, which visitors can copy from a page. */
export interface BrowserKey {
  /** Allowed origins of pages, separated by commas, in the form that `lib/origins.ts` compares. */
  readonly origins: string;
  readonly mayLookUp: boolean;
  readonly cap: DailyCap;
}

/** The origin of a browser's call. */
export interface BrowserCaller {
  /** The page's origin; absent if the browser sent none. */
  readonly origin?: string | undefined;
}

/** Whether a browser key may call an operation. Unknown paths (`other`) get their own error. */
export function mayBrowserCall(operation: LedgerOperation, mayLookUp: boolean): boolean {
  return operation === "autocomplete" || operation === "other" || (operation === "lookup" && mayLookUp);
}

/** Returns the reason for refusing a call with a browser key; `undefined` if it is allowed. */
export function browserDenial(
  key: BrowserKey,
  caller: BrowserCaller | undefined,
  operation: LedgerOperation,
): "origin" | "scope" | undefined {
  if (!isListedOrigin(caller?.origin, key.origins)) return "origin";
  return mayBrowserCall(operation, key.mayLookUp) ? undefined : "scope";
}

/**
 * The daily cap of a key (UTC) and its usage. Like minutes and months, the day goes back only if a wrong clock began
 * it.
 */
export interface DailyCap {
  /** Tokens a day. */
  readonly limit: number;
  /** Days since 1970. */
  readonly day: number;
  /** Tokens spent or reserved on that day. */
  readonly spent: number;
}

/** Returns a cap on the current day. */
export function capToday(cap: DailyCap, nowMs: number): DailyCap {
  const day = presentPeriod(cap.day, nowMs, utcDayOf);
  return day === cap.day ? cap : { ...cap, day, spent: 0 };
}

/** Whether the rest of the day covers a price. */
export function coversPrice(cap: DailyCap, price: number): boolean {
  return price === 0 || price <= cap.limit - cap.spent;
}

/** Returns a cap after spending or reserving tokens. */
export function spendOfDay(cap: DailyCap, tokens: number): DailyCap {
  return tokens === 0 ? cap : { ...cap, spent: cap.spent + tokens };
}

/**
 * Returns a cap after a settlement. Unspent tokens are available again if it is still the day of their reservation.
 * @param more tokens beyond those reserved: 0 or less
 */
export function settleOfDay(cap: DailyCap, day: number, extraTokens: number): DailyCap {
  return day === cap.day ? { ...cap, spent: Math.max(0, cap.spent + extraTokens) } : cap;
}

/** The daily cap as callers see it. */
export interface DayBalance {
  readonly limit: number;
  readonly remaining: number;
  /** When the next day begins, Unix seconds. */
  readonly resetSeconds: number;
}

export function dayBalance({ limit, day, spent }: DailyCap): DayBalance {
  return { limit, remaining: Math.max(0, limit - spent), resetSeconds: utcDayEndSeconds(day) };
}
