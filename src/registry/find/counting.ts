import { all, type Vocabulary } from "./condition.ts";
import type { NameTables } from "./nameTables.ts";
import { digitsOf, nameConditions } from "./query.ts";
import { exact, numbersFrom, ownNames, ranked, type Wanted } from "./ranking.ts";

/** No KVK number is in it. */
const NO_NUMBERS = [-2, -1] as const;

/** How many companies `ranked` would give, without fetching them. */
export function countCompanies(tables: NameTables, wanted: Wanted, vocabulary: Vocabulary): number {
  const { query, facets, isActive } = wanted;
  if (query === undefined) return tables.countMatching(ownNames(wanted, vocabulary), isActive);

  const { starts, unasked } = nameConditions(query, vocabulary);
  if (unasked.length > 0) return sum(ranked(tables, wanted, vocabulary), () => 1);

  const digits = digitsOf(query);
  const numbers = digits === undefined ? NO_NUMBERS : numbersFrom(digits);
  const sameName = exact(tables, wanted, query).map(([, kvk]) => kvk);
  const named = tables.countCompanies(all([starts, ...facets]), isActive, sameName, numbers);
  if (digits === undefined) return named;
  if (facets.length > 0) return named + tables.countMatching(ownNames(wanted, vocabulary), isActive, numbers);
  return named + sum([true, false], (one) => (isActive === !one ? 0 : tables.countNumbers(one, numbers)));
}

function sum<T>(items: Iterable<T>, count: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += count(item);
  return total;
}
