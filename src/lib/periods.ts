/** Minutes, days and months (UTC) as whole numbers, so that "never goes back" is a comparison. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Clocks of machines differ, and a corrected clock may go back a little. A period at most this far ahead of the clock
 * continues; one further ahead was begun by a wrong clock.
 */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;

/**
 * Returns the current period: the stored one if the clock is in it or at most {@link MAX_AHEAD_MS} before it, otherwise
 * the clock's.
 * @param periodOf {@link minuteOf} or {@link monthOf}
 */
export function presentPeriod(stored: number, nowMs: number, periodOf: (nowMs: number) => number): number {
  const period = periodOf(nowMs);
  return stored > period && !isAhead(stored, nowMs, periodOf) ? stored : period;
}

/** Whether a period is so far ahead that a wrong clock began it, or the clock is wrong now. */
export function isAhead(stored: number, nowMs: number, periodOf: (nowMs: number) => number): boolean {
  return stored > periodOf(nowMs + MAX_AHEAD_MS);
}

/** Returns minutes since 1970: the rate window. */
export function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

/** Returns the start of a window, Unix milliseconds. */
export function minuteStartMs(minute: number): number {
  return minute * MINUTE_MS;
}

/** Returns the end of a window, Unix seconds. */
export function minuteEndSeconds(minute: number): number {
  return (minute + 1) * 60;
}

/** Returns months since year 0: the month of an allowance. */
export function monthOf(nowMs: number): number {
  const date = new Date(nowMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the start of a month, Unix milliseconds. */
export function monthStartMs(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

/** Returns the end of a month, Unix seconds. */
export function monthEndSeconds(month: number): number {
  return monthStartMs(month + 1) / 1_000;
}

/** Returns days since 1970. */
export function utcDayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** Returns the end of a day, Unix seconds. */
export function utcDayEndSeconds(day: number): number {
  return ((day + 1) * DAY_MS) / 1_000;
}

/** Returns a UTC day as `YYYY-MM-DD`. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** Returns the first and last UTC day of a month as `YYYY-MM-DD`. */
export function daysOfMonth(month: number): { readonly first: string; readonly last: string } {
  return { first: dayOf(monthStartMs(month)), last: dayOf(monthStartMs(month + 1) - 1) };
}

/**
 * Returns the day that a charge of `month` is recorded on: today, clamped to the month. The days of a month therefore
 * add up to its total even if the clock went back over its beginning, or a reservation is settled after its end.
 */
export function dayInMonth(nowMs: number, month: number): string {
  return dayOf(Math.min(Math.max(nowMs, monthStartMs(month)), monthStartMs(month + 1) - 1));
}
