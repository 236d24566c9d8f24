import type { Language } from "./bilingual.ts";

export interface Formats {
  readonly number: (value: number) => string;
  readonly percent: (share: number) => string;
  /** `YYYY-MM-DD` as `21 Nov`. */
  readonly shortDay: (day: string) => string;
  /** A day, or the UTC day of a time, as `21 November 2026`. */
  readonly day: (dayOrMoment: string) => string;
  /** `YYYY-MM` as `November 2026`. */
  readonly month: (month: string) => string;
  /** `YYYY-MM` as `Nov 26`. */
  readonly shortMonth: (month: string) => string;
  /** Date and time in the reader's time zone. */
  readonly moment: (moment: string) => string;
  /** The same with seconds. */
  readonly momentWithSeconds: (moment: string) => string;
  /** Seconds in the largest fitting unit: `5 minutes`. */
  readonly duration: (seconds: number) => string;
}

const LOCALES = { en: "en-GB", nl: "nl-NL" } as const;
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

export function formatsOf(language: Language): Formats {
  const locale = LOCALES[language];
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent" });
  // The ledger counts days and months in UTC.
  const inUtc = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    return (text: string) => format.format(new Date(text));
  };
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const toTheSecond = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "medium" });
  return {
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    shortDay: inUtc({ day: "numeric", month: "short" }),
    day: inUtc({ day: "numeric", month: "long", year: "numeric" }),
    month: inUtc({ month: "long", year: "numeric" }),
    shortMonth: inUtc({ month: "short", year: "2-digit" }),
    momentWithSeconds: (text) => toTheSecond.format(new Date(text)),
    moment: (text) => moment.format(new Date(text)),
    duration: (seconds) => durationIn(locale, seconds),
  };
}

function durationIn(locale: string, seconds: number): string {
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ["second", 1];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(
    Math.floor(seconds / size),
  );
}
