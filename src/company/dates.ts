/** Dates as registries and spreadsheets write them, to the one form of the contract. */
import { memoise } from "../lib/memoise.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const COMPACT = /^([0-9]{4})([0-9]{2})([0-9]{2})$/;
const DUTCH = /^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})$/;
const ISO = /^([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})$/;
/** `14-mrt-2011`, `14 maart 2011`, `14 mrt. 11` */
const WITH_MONTH = /^([0-9]{1,2})[\s./-]+(\p{L}{3,9})\.?[\s./-]+([0-9]{2}|[0-9]{4})$/u;
/** How the months begin in Dutch and English. */
const MONTHS = "jan feb mrt|maa|mar apr mei|may jun jul aug sep okt|oct nov dec".split(" ");
/** Of dates with two digits for the year only those that cannot begin with it: `14-03-99`, but not `14-03-11`. */
const SHORT = /^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.](00|3[2-9]|[4-9][0-9])$/;
/** Two digits are a year of the last century unless it comes within so many years. */
const MAX_YEARS_AHEAD = 20;
/** The oldest registered bodies; earlier dates are placeholders of databases. */
const FIRST_REGISTRATION = "1200-01-01";
const DAY_MS = 24 * 60 * 60 * 1000;
/** The time or the zone after a day, or the decimals of a number that a spreadsheet made of `20110314`. */
const AFTER_DAY = /(?<=[0-9]{4}|[0-9]-[0-9]{2})(?:[T ][0-9]{1,2}:.*|[.,]0+|Z|[+-][0-9]{2}:[0-9]{2})$/;
const INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** Whether `text` is YYYY-MM-DD, from the year 1000 on, and such a day exists. */
export function isDay(text: string): boolean {
  const timeMs = DAY.test(text) && text >= "1000" ? Date.parse(text) : Number.NaN;
  // 31 February is parsed as a day of March.
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}

/** Year, month and day of a text; such a day need not exist. */
export interface DayParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * The parts of a day as a spreadsheet or a register's export writes it: 2011-03-14, 20110314, 14-03-2011, 14/3/2011
 * (day before month, as in Dutch), 14-mrt-2011, with or without a time after it; undefined when the text is not a date.
 */
export function partsOfDay(text: string): DayParts | undefined {
  const bare = text.replace(AFTER_DAY, "");
  const dutch = DUTCH.exec(bare) ?? SHORT.exec(bare) ?? withMonthNumber(bare);
  const [year, month, day] =
    dutch === null ? (COMPACT.exec(bare) ?? ISO.exec(bare) ?? []).slice(1) : dutch.slice(1).reverse();
  return year === undefined ? undefined : { year: fullYear(year), month: Number(month), day: Number(day) };
}

function fullYear(digits: string): number {
  if (digits.length > 2) return Number(digits);
  const year = 2000 + Number(digits);
  return year > new Date().getUTCFullYear() + MAX_YEARS_AHEAD ? year - 100 : year;
}

/** The groups of {@link WITH_MONTH} with the number of the month. */
function withMonthNumber(text: string): readonly (string | undefined)[] | null {
  const [whole, day, name = "", year] = WITH_MONTH.exec(text) ?? [];
  if (whole === undefined) return null;
  const month = MONTHS.findIndex((starts) => starts.split("|").includes(name.slice(0, 3).toLowerCase()));
  return month === -1 ? null : [whole, day, String(month + 1), year];
}

/**
 * Whether a company can be registered since a day: at earliest since the first registrations, at latest since today, or
 * tomorrow east of UTC.
 */
export function isRegistrationDay(day: string, nowMs = Date.now()): boolean {
  return day >= FIRST_REGISTRATION && Date.parse(day) <= nowMs + DAY_MS;
}

export function formatDay({ year, month, day }: DayParts): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/**
 * A day in any form of {@link partsOfDay} as YYYY-MM-DD; `partial` when a part of it is zero, undefined when it does
 * not exist.
 */
export function parseDay(text: string): string | "partial" | undefined {
  const parts = partsOfDay(text);
  if (parts === undefined) return undefined;
  if (parts.year === 0 || parts.month === 0 || parts.day === 0) return "partial";
  const day = formatDay(parts);
  return isDay(day) ? day : undefined;
}

/** KVK's `YYYYMMDD`, or YYYY-MM-DD, as {@link parseDay}: KVK writes 20150600 for "June 2015". */
export function parseKvkDate(text: string): string | "partial" | undefined {
  return COMPACT.test(text) || isDay(text) ? parseDay(text) : undefined;
}

/** A day (its first moment in UTC) or an instant with its zone as ISO 8601 UTC, or undefined. */
export const parseInstant = memoise(1 << 10, readInstant);

function readInstant(text: string): string | undefined {
  if (isDay(text)) return `${text}T00:00:00.000Z`;
  if (!INSTANT.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/**
 * The newest date of the data of a registry's origins, Unix milliseconds; 0 without any. `kvk-api` counts only on its
 * own: single answers of KVK say nothing about the age of an imported registry.
 */
export function dataDateMs(origins: readonly { readonly origin: string; readonly asOf: string }[]): number {
  const imported = origins.filter(({ origin }) => origin !== "kvk-api");
  const counted = imported.length > 0 ? imported : origins;
  return Math.max(0, ...counted.map(({ asOf }) => Date.parse(asOf)));
}
