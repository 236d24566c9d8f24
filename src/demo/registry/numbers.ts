/**
 * Numbers that no real company has. Each lies in a range that follows from the company's index, so that millions are
 * unique without keeping a set of them.
 */
import { type KvkNumber, parseKvkNumber, passesKvkCheck } from "../../contract/numbers.ts";
import type { Random } from "./random.ts";

/** Real numbers from here on pass the check of weights 8..1, so no company has one that fails it. */
const FIRST_KVK_NUMBER = 50_000_000;
const KVK_NUMBERS = 50_000_000;
/** RSINs of real companies start with an eight today, RSINs of KVK's test companies with a nine. */
const FIRST_RSIN_STEM = 90_000_000;
const RSIN_STEMS = 10_000_000;
/** Real branch numbers begin with 0000, numbers of KVK's test environment with 99. */
const FIRST_BRANCH_NUMBER = 990_000_000_000;

/** RSINs are the scarcest: each company needs two neighbouring stems, at least one of which has a ninth digit. */
export const MAX_COMPANIES = RSIN_STEMS / 2;

/**
 * The KVK number of the company at `index` of `companies`: rising with the index, from 50000000, and failing
 * {@link passesKvkCheck}. Each company picks from its own range. Two neighbouring numbers never both pass the check:
 * the weighted sum changes by 1, or by what a carry adds, never by a multiple of 11.
 */
export function kvkNumberAt(index: number, companies: number, random: Random): KvkNumber {
  const range = Math.floor(KVK_NUMBERS / companies);
  const number = FIRST_KVK_NUMBER + index * range + Math.floor(random.fraction() * (range - 1));
  const chosen = asKvkNumber(number);
  return passesKvkCheck(chosen) ? asKvkNumber(number + 1) : chosen;
}

function asKvkNumber(number: number): KvkNumber {
  const parsed = parseKvkNumber(String(number));
  if (parsed === undefined) throw new RangeError(`${number} does not have eight digits`);
  return parsed;
}

/**
 * The RSIN of the company at `index` of `companies`: passes the elfproef, rises with the index. The ninth digit follows
 * from the first eight; where it would be 10, the next stem is used, whose digit is never 10 as well.
 */
export function rsinAt(index: number, companies: number, random: Random): string {
  const range = Math.floor(RSIN_STEMS / companies);
  const stem = FIRST_RSIN_STEM + index * range + Math.floor(random.fraction() * (range - 1));
  const ninth = ninthDigit(stem);
  return ninth === 10 ? `${stem + 1}${ninthDigit(stem + 1)}` : `${stem}${ninth}`;
}

function ninthDigit(stem: number): number {
  let sum = 0;
  let rest = stem;
  for (let weight = 2; weight <= 9; weight++) {
    sum += weight * (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return sum % 11;
}

/** Rising branch numbers with gaps, as in a real register. */
export class BranchNumbers {
  #last = FIRST_BRANCH_NUMBER;

  next(random: Random): string {
    this.#last += 1 + random.below(40);
    return String(this.#last);
  }
}

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1950, 0, 2);
/** The date of the demo's data; nothing in it is more recent. */
export const DEMO_AS_OF = "2026-01-01T00:00:00.000Z";
const DAYS = Math.round((Date.parse(DEMO_AS_OF) - FIRST_DAY) / DAY_MS);
/** Formatted dates by day, filled on first use. */
const DATES: string[] = [];

/** A random day of registration, as an index for {@link dateOf}: over seven decades, recent ones far more often. */
export function registrationDay(random: Random): number {
  const age = random.fraction() * random.fraction();
  return DAYS - 1 - Math.floor(age * DAYS);
}

/** A random day after `day` and before the date of the data, at most the last day: when a company ended. */
export function laterDay(day: number, random: Random): number {
  return Math.min(DAYS - 1, day + 1 + Math.floor(random.fraction() * (DAYS - 1 - day)));
}

/** YYYY-MM-DD */
export function dateOf(day: number): string {
  const date = DATES[day] ?? new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
  DATES[day] = date;
  return date;
}
