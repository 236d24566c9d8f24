/** Dates as registries and spreadsheets write them, to the one form of the contract. */
import { remembered } from "../lib/remembered.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const COMPACT = /^([0-9]{4})([0-9]{2})([0-9]{2})$/;
const DUTCH = /^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})$/;
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

/**
 * A day as a spreadsheet or a register's export writes it: 2011-03-14, 20110314, 14-03-2011, 14/3/2011 (day before
 * month, as the Dutch do), or an instant of which the day counts.
 */
export function parseDay(text: string): string | "partial" | undefined {
  const dutch = DUTCH.exec(text);
  if (dutch !== null) return dayOf(dutch[3], dutch[2]?.padStart(2, "0"), dutch[1]?.padStart(2, "0"));
  return parseKvkDate(/^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]/.test(text) ? text.slice(0, 10) : text);
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
