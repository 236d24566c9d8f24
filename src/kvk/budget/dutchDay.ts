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
