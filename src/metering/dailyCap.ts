import { presentPeriod, utcDayEndSeconds, utcDayOf } from "./periods.ts";

/** What a key may spend on a day (UTC), and has. Its day never goes back but where the clock was wrong, as windows and months do. */
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

/** What a caller is told of a key's day. */
export interface DayBalance {
  readonly limit: number;
  readonly remaining: number;
  /** When the next day begins, Unix seconds. */
  readonly resetSeconds: number;
}

export function dayBalance({ limit, day, spent }: DailyCap): DayBalance {
  return { limit, remaining: Math.max(0, limit - spent), resetSeconds: utcDayEndSeconds(day) };
}
