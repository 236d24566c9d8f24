/** The end of a company or a branch, by the dates that registers and files give for it. */
import { known } from "../lib/values.ts";
import { formatDay, isDay, partsOfDay } from "./dates.ts";
import type { CompanyFacts } from "./facts.ts";

/** The Handelsregister began in 1921: an earlier year, 0000 included, is a placeholder of a database. */
const FIRST_YEAR = 1921;
/** 9999, 2999 and the like stand for "no end". */
const NO_END_YEAR = 2200;

/** A note that the status of a record was overruled by its date. */
export const ENDED_DESPITE_STATUS =
  "active by its status, with a date of deregistration that has passed (taken as ended)";

/** A date of deregistration, as far as it can be interpreted. */
export interface Ending {
  /** The registration has ended. */
  readonly isOver: boolean;
  /** YYYY-MM-DD, when known; with a future day the company is active until then. */
  readonly day?: string;
  /** The date, or a part of it, cannot be interpreted: to be counted. */
  readonly isUnclear?: true;
}

/** Today in UTC as YYYY-MM-DD. */
function utcToday(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The facts as they are today: from its date of deregistration on, a company and its branches are not active. */
export function asOfToday(facts: CompanyFacts, today = utcToday()): CompanyFacts {
  const { isActive, deregistrationDate, branches } = facts;
  if (!isActive || deregistrationDate === undefined || deregistrationDate > today) return facts;
  const ended = branches?.map((branch) => ({ ...branch, isActive: false }));
  return { ...facts, isActive: false, ...known("branches", ended) };
}

/**
 * The end that a text dates, in any form of {@link partsOfDay}; undefined when it is not a date. A date of zeros, or in
 * a year before the register, is unclear. A date that is partly known (`20150600`) or does not exist (31-02-2015) is
 * over or not by its valid parts, and has no day.
 */
export function parseEnding(text: string, today = utcToday()): Ending | undefined {
  const unclear: Ending = { isOver: false, isUnclear: true };
  if (/^[0\s./:T-]+$/.test(text)) return unclear;
  const parts = partsOfDay(text);
  if (parts === undefined) return undefined;
  if (parts.year >= NO_END_YEAR) return { isOver: false };
  if (parts.year < FIRST_YEAR) return unclear;
  const day = formatDay(parts);
  if (isDay(day)) return { isOver: day <= today, day };
  const isMonth = parts.month >= 1 && parts.month <= 12;
  const earliest = formatDay({ ...parts, month: isMonth ? parts.month : 1, day: 1 });
  return { isOver: earliest <= today, isUnclear: true };
}
