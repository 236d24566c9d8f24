/** Dates as registries and spreadsheets write them, to the one form of the contract. */
import { remembered } from "../lib/remembered.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const COMPACT = /^([0-9]{4})([0-9]{2})([0-9]{2})$/;
const DUTCH = /^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})$/;
const ISO = /^([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})$/;
/** The time or the zone behind a day, or the decimals of a number that a spreadsheet made of `20110314`. */
const BEHIND_DAY = /(?<=[0-9]{4}|[0-9]-[0-9]{2})(?:[T ][0-9]{1,2}:.*|[.,]0+|Z|[+-][0-9]{2}:[0-9]{2})$/;
const INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})$/;

/** Whether `text` is YYYY-MM-DD and such a day exists. */
export function isDay(text: string): boolean {
  return (
    DAY.test(text) && isRealDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)))
  );
}

/**
 * KVK's `YYYYMMDD` as YYYY-MM-DD; `partial` when a part of it is zero (KVK writes 20150600 for "June 2015"), and
 * undefined when it is no date at all.
 */
export function parseKvkDate(text: string): string | "partial" | undefined {
  const parts = COMPACT.exec(text);
  if (parts === null) return isDay(text) ? text : undefined;
  const [, year, month, day] = parts;
  if (year === "0000" || month === "00" || day === "00") return "partial";
  return dayOf(year, month, day);
}

/** Year, month and day as a text gives them; such a day need not exist. */
export interface DayParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * The parts of a day as a spreadsheet or a register's export writes it: 2011-03-14, 20110314, 14-03-2011, 14/3/2011 (day
 * before month, as the Dutch do), with or without a time behind it; undefined when the text is no date.
 */
export function partsOfDay(text: string): DayParts | undefined {
  const bare = text.replace(BEHIND_DAY, "");
  const dutch = DUTCH.exec(bare);
  const [year, month, day] =
    dutch === null ? (COMPACT.exec(bare) ?? ISO.exec(bare) ?? []).slice(1) : dutch.slice(1).reverse();
  if (year === undefined) return undefined;
  return { year: Number(year), month: Number(month), day: Number(day) };
}

/** The same as YYYY-MM-DD; `partial` when a part of it is zero, undefined when there is no such day. */
export function parseDay(text: string): string | "partial" | undefined {
  const parts = partsOfDay(text);
  if (parts === undefined) return undefined;
  const { year, month, day } = parts;
  if (year === 0 || month === 0 || day === 0) return "partial";
  const two = (part: number) => String(part).padStart(2, "0");
  return dayOf(String(year).padStart(4, "0"), two(month), two(day));
}

/** A day (its first moment in UTC) or an instant with its zone as ISO 8601 UTC, or undefined. */
export const parseInstant = remembered(1 << 10, readInstant);

function readInstant(text: string): string | undefined {
  if (isDay(text)) return `${text}T00:00:00.000Z`;
  if (!INSTANT.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** The day that year, month and day of two digits name, if there is such a day. */
function dayOf(year = "", month = "", day = ""): string | undefined {
  return isRealDay(Number(year), Number(month), Number(day)) ? `${year}-${month}-${day}` : undefined;
}

/** Whether there is such a day, of four digits the year. */
export function isRealDay(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : DAYS_OF_MONTH[month - 1];
  return year >= 1000 && days !== undefined && day >= 1 && day <= days;
}

/**
 * The newest date of the data of a registry's origins, Unix milliseconds; 0 without any. `kvk-api` counts only where it is the only one:
 * single answers of KVK say nothing about the age of an imported registry.
 */
export function dataDateMs(origins: readonly { readonly origin: string; readonly asOf: string }[]): number {
  const imported = origins.filter(({ origin }) => origin !== "kvk-api");
  const counted = imported.length > 0 ? imported : origins;
  return Math.max(0, ...counted.map(({ asOf }) => Date.parse(asOf)));
}
