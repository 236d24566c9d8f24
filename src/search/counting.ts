import { MOST_COUNTED } from "../contract/totals.ts";
import type { Steps } from "../lib/steps.ts";
import { all, type Condition, type Vocabulary } from "./condition.ts";
import type { IsActive, NameTables } from "./nameTables.ts";
import { digitsOf, nameConditions } from "./query.ts";
import { areFew, exact, numbersFrom, numbersOf, ownNames, ranked, type Wanted } from "./ranking.ts";

/** One more than is told: then it is known that there are more. */
const ENOUGH = MOST_COUNTED + 1;
/** So many names are looked at in one step, which takes some milliseconds at most. */
const NAMES_IN_A_STEP = 1_000;

/**
 * How many companies `ranked` would give, {@link ENOUGH} at most, without fetching them.
 */
export function* countCompanies(tables: NameTables, wanted: Wanted, vocabulary: Vocabulary): Steps<number> {
  const { query, facets, isActive } = wanted;
  if (query === undefined) return yield* countNames(tables, ownNames(wanted, vocabulary), isActive);

  const { starts, unasked } = nameConditions(query, vocabulary);
  if (unasked.length > 0) return countAll(ranked(tables, wanted, vocabulary));

  const digits = digitsOf(query);
  const found = new Set(exact(tables, wanted, query).map(([, kvk]) => kvk));
  const condition = all([starts, ...facets]);
  if (digits === undefined) return yield* addCompanies(tables, condition, isActive, found);

  const numbers = numbersFrom(digits);
  const [from, to] = numbers;
  const isNumbered = (kvk: number) => kvk >= from && kvk <= to;
  if (facets.length === 0) {
    let numbered = 0;
    for (const one of [true, false]) {
      if (isActive !== !one) numbered += tables.countNumbers(one, numbers, ENOUGH - numbered);
    }
    for (const kvk of found) if (isNumbered(kvk)) found.delete(kvk);
    return numbered + (yield* addCompanies(tables, condition, isActive, found, (kvk) => !isNumbered(kvk)));
  }
  for (const one of [true, false]) {
    if (isActive === !one) continue;
    if (areFew(tables, numbers, one)) {
      const ofOne = { ...wanted, isActive: one };
      for (const [, kvk] of numbersOf(tables, ofOne, numbers, vocabulary)) found.add(kvk);
    } else {
      yield* addCompanies(tables, ownNames(wanted, vocabulary), one, found, isNumbered);
    }
  }
  return yield* addCompanies(tables, condition, isActive, found);
}

/** How many names satisfy a condition. */
function* countNames(tables: NameTables, condition: Condition, isActive: IsActive): Steps<number> {
  let counted = 0;
  for (let after = 0; counted < ENOUGH; yield) {
    const [count, last] = tables.countMatching(condition, isActive, after, NAMES_IN_A_STEP);
    counted += count;
    if (count < NAMES_IN_A_STEP) break;
    after = last;
  }
  return counted;
}

/** How many companies have a name that satisfies the condition, with those that were found already. */
function* addCompanies(
  tables: NameTables,
  condition: Condition,
  isActive: IsActive,
  found: Set<number>,
  isCounted: (kvk: number) => boolean = () => true,
): Steps<number> {
  for (let after = 0; found.size < ENOUGH; yield) {
    const names = tables.matchingCompanies(condition, isActive, after, NAMES_IN_A_STEP);
    for (const [, kvk] of names) if (isCounted(kvk)) found.add(kvk);
    if (names.length < NAMES_IN_A_STEP) break;
    after = names.at(-1)?.[0] ?? after;
  }
  return found.size;
}

function countAll(hits: Iterable<unknown>): number {
  let total = 0;
  for (const _hit of hits) if (++total >= ENOUGH) break;
  return total;
}
