/** The end of a company or a branch, by the dates that registers and files give for it. */
import { known } from "../lib/values.ts";
import { type DayParts, isRealDay, partsOfDay } from "./dates.ts";
import type { CompanyFacts } from "./facts.ts";

/** The Handelsregister began in 1921: an earlier year, 0000 included, is a placeholder of a database. */
const FIRST_YEAR = 1921;
/** 9999, 2999 and the like stand for "no end". */
const NO_END_YEAR = 2200;

/** Whether a year can be that of an end, and stands for nothing else. */
export function isYearOfEnd(year: number): boolean {
  return year >= FIRST_YEAR && year < NO_END_YEAR;
}

/** Why the status of a record was not believed. */
export const ENDED_ALL_THE_SAME =
  "active by its status, with a date of deregistration that has passed (taken as ended)";

/** A date of deregistration, as far as it says something. */
export interface Ending {
  /** The registration has ended. */
  readonly isOver: boolean;
  /** YYYY-MM-DD, where that is known; one to come leaves the company active until then. */
  readonly day?: string;
  /** Nothing can be made of the date, or of a part of it: to be counted. */
  readonly isUnclear?: true;
}

const NO_END: Ending = { isOver: false };
const UNKNOWN: Ending = { isOver: false, isUnclear: true };

/** Today in UTC as YYYY-MM-DD. */
export function utcToday(nowMs = Date.now()): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** Whether a day, YYYY-MM-DD, is today (UTC) or before. */
export function hasCome(day: string, today = utcToday()): boolean {
  return day <= today;
}

/** The facts as they are today: a company whose date of deregistration has come has ended, and its branches with it. */
export function asOfToday(facts: CompanyFacts, today = utcToday()): CompanyFacts {
  const { isActive, deregistrationDate, branches } = facts;
  if (!isActive || deregistrationDate === undefined || !hasCome(deregistrationDate, today)) return facts;
  const ended = branches?.map((branch) => ({ ...branch, isActive: false }));
  return { ...facts, isActive: false, ...known("branches", ended) };
}

/**
 * The end that a text dates, in any form of {@link partsOfDay}; undefined when it is no date at all. A date that is
 * all zeros, or of a year before the register, says nothing. Of one that is known in part (`20150600`) or does not
 * exist (31-02-2015) the parts that make sense decide whether it is over, and it has no day.
 */
export function readEnding(text: string, today = utcToday()): Ending | undefined {
  if (/^[0\s./:T-]+$/.test(text)) return UNKNOWN;
  const parts = partsOfDay(text);
  if (parts === undefined) return undefined;
  if (parts.year >= NO_END_YEAR) return NO_END;
  if (parts.year < FIRST_YEAR) return UNKNOWN;
  const day = earliest(parts);
  const isOver = hasCome(day, today);
  return isRealDay(parts.year, parts.month, parts.day) ? { isOver, day } : { isOver, isUnclear: true };
}

/** The first day that the parts allow. */
function earliest({ year, month, day }: DayParts): string {
  const isMonth = month >= 1 && month <= 12;
  const shown = [isMonth ? month : 1, isRealDay(year, month, day) ? day : 1];
  return [String(year), ...shown.map((part) => String(part).padStart(2, "0"))].join("-");
}
