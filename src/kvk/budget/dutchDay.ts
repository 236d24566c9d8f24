/** `en-CA` writes a day as YYYY-MM-DD. */
const DAY = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Europe/Amsterdam",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The day in the Netherlands at a moment, YYYY-MM-DD. */
export function dutchDay(unixMs: number): string {
  return DAY.format(unixMs);
}

const HOUR_MS = 3_600_000;

/** The end of the Dutch day of a moment, Unix milliseconds: one or two hours before midnight UTC. */
export function dutchDayEndMs(unixMs: number): number {
  const midnightMs = Date.parse(dutchDay(unixMs)) + 24 * HOUR_MS;
  const tomorrow = new Date(midnightMs).toISOString().slice(0, 10);
  const summerMs = midnightMs - 2 * HOUR_MS;
  return dutchDay(summerMs) === tomorrow ? summerMs : midnightMs - HOUR_MS;
}
