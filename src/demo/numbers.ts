/**
 * Numbers that nobody has. Each is computed from the company's index alone, so that millions are unique without a
 * set that remembers them.
 */
import { type KvkNumber, parseKvkNumber, passesKvkCheck } from "../contract/numbers.ts";
import type { Random } from "./random.ts";

/** Real numbers from here on pass the check of weights 8..1, so the ones that fail it belong to nobody. */
const FIRST_KVK_NUMBER = 50_000_000;
const KVK_NUMBERS = 50_000_000;
/** The RSINs of real companies run in the eights today; those of KVK's test companies begin with a nine. */
const FIRST_RSIN_STEM = 90_000_000;
const RSIN_STEMS = 10_000_000;
/** Real branch numbers begin with 0000, those of KVK's test environment with 99. */
const FIRST_BRANCH_NUMBER = 990_000_000_000;

/** RSINs are the scarcest: every company owns two neighbouring stems, of which at least one has a ninth digit. */
export const MOST_COMPANIES = RSIN_STEMS / 2;

/**
 * The KVK number of the company at `index` of `companies`: rising with the index, from 50000000 on, and failing
 * {@link passesKvkCheck}. Every company owns a range of numbers and takes one of it; of two neighbouring numbers
 * never both pass the check (the weighted sum moves by 1, or by what a carry adds, never by a multiple of 11).
 */
export function kvkNumberAt(index: number, companies: number, random: Random): KvkNumber {
  const range = Math.floor(KVK_NUMBERS / companies);
  const number = FIRST_KVK_NUMBER + index * range + Math.floor(random.fraction() * (range - 1));
  const chosen = asKvkNumber(number);
  return passesKvkCheck(chosen) ? asKvkNumber(number + 1) : chosen;
}

function asKvkNumber(number: number): KvkNumber {
  const parsed = parseKvkNumber(String(number));
  if (parsed === undefined) throw new RangeError(`${number} has no eight digits`);
  return parsed;
}

/**
 * The RSIN of the company at `index` of `companies`: passes the elfproef, rises with the index. The ninth digit
 * follows from the eight before it; where it would be 10 the next stem is taken, which never needs a 10 as well.
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

/** Branch numbers in rising order with gaps, as a register has them. */
export class BranchNumbers {
  #last = FIRST_BRANCH_NUMBER;

  next(random: Random): string {
    this.#last += 1 + random.below(40);
    return String(this.#last);
  }
}

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1950, 0, 2);
/** The demo's data is of this moment; nothing in it is younger. */
export const DEMO_AS_OF = "2026-01-01T00:00:00.000Z";
const DAYS = Math.round((Date.parse(DEMO_AS_OF) - FIRST_DAY) / DAY_MS);
/** Each day is written once, when it is first needed: a command that generates nothing pays for none. */
const DATES: string[] = [];

/** A day of registration, as an index for {@link dateOf}: over seven decades, the last ones far more often. */
export function registrationDay(random: Random): number {
  const age = random.fraction() * random.fraction();
  return DAYS - 1 - Math.floor(age * DAYS);
}

/** A day after `day` and before the date of the data, for a company that ended; the last day when none is left. */
export function laterDay(day: number, random: Random): number {
  return Math.min(DAYS - 1, day + 1 + Math.floor(random.fraction() * (DAYS - 1 - day)));
}

/** YYYY-MM-DD */
export function dateOf(day: number): string {
  const date = DATES[day] ?? new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
  DATES[day] = date;
  return date;
}
