/** Windows and months as whole numbers, so that "never goes back" is a comparison. All in UTC. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Clocks of several machines differ, and a clock that is put right may go back a little: a period that is ahead of the clock by no
 * more than this goes on. One that is further ahead was begun by a clock that was wrong.
 */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;

/**
 * The period that counts at this moment: the one that was stored last when the clock is in it or at most
 * {@link MAX_AHEAD_MS} before it, else the clock's own.
 * @param periodOf {@link minuteOf} or {@link monthOf}
 */
export function presentPeriod(stored: number, nowMs: number, periodOf: (nowMs: number) => number): number {
  const period = periodOf(nowMs);
  return stored > period && !isAhead(stored, nowMs, periodOf) ? stored : period;
}

/** Whether a period was begun by a clock that was wrong, or the clock is wrong now. */
export function isAhead(stored: number, nowMs: number, periodOf: (nowMs: number) => number): boolean {
  return stored > periodOf(nowMs + MAX_AHEAD_MS);
}

/** Clock minutes since 1970: the rate window. */
export function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

/** When a window begins, in milliseconds. */
export function minuteStartMs(minute: number): number {
  return minute * MINUTE_MS;
}

/** When a window ends, in Unix seconds. */
export function minuteEndSeconds(minute: number): number {
  return (minute + 1) * 60;
}

/** Months since year 0: the allowance's month. */
export function monthOf(nowMs: number): number {
  const date = new Date(nowMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** 00:00:00 UTC of a month's first day, in milliseconds. */
export function monthStartMs(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

/** When a month's allowance is replaced, in Unix seconds. */
export function monthEndSeconds(month: number): number {
  return monthStartMs(month + 1) / 1_000;
}

/** Days since 1970. */
export function utcDayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** When a day (UTC) ends, in Unix seconds. */
export function utcDayEndSeconds(day: number): number {
  return ((day + 1) * DAY_MS) / 1_000;
}

/** A UTC day as `YYYY-MM-DD`. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** The UTC days of a month, both included, as `YYYY-MM-DD`. */
export function daysOfMonth(month: number): { readonly first: string; readonly last: string } {
  return { first: dayOf(monthStartMs(month)), last: dayOf(monthStartMs(month + 1) - 1) };
}

/**
 * The day that a charge of `month` is filed under: today, kept inside the month, so that the days of a month add up
 * to what the month spent even when the clock was set back over its beginning or a reservation is settled after its
 * end.
 */
export function dayInMonth(nowMs: number, month: number): string {
  return dayOf(Math.min(Math.max(nowMs, monthStartMs(month)), monthStartMs(month + 1) - 1));
}
