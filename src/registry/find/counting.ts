import type { NameTables } from "./nameTables.ts";
import { all, digitsOf, nameConditions, OWN_NAME, type StartsWith } from "./query.ts";
import { exact, numbersFrom, ranked, type Wanted, wantedRanks } from "./ranking.ts";

/** No KVK number is in it. */
const NO_NUMBERS = [-2, -1] as const;

/** How many companies `ranked` would give, without fetching them. */
export function countCompanies(tables: NameTables, wanted: Wanted, startsWith: StartsWith): number {
  const { query, facets, isActive } = wanted;
  const ownNames = all([...facets, OWN_NAME]);
  const ranks = wantedRanks(tables, wanted);
  if (query === undefined) return tables.countMatching(ownNames, ranks);

  const { starts, unasked } = nameConditions(query, startsWith);
  if (unasked.length > 0) return sum(ranked(tables, wanted, startsWith), () => 1);

  const digits = digitsOf(query);
  const numbers = digits === undefined ? NO_NUMBERS : numbersFrom(digits);
  const sameName = exact(tables, wanted, query).map(([, kvk]) => kvk);
  const named = tables.countCompanies(all([starts, ...facets]), ranks, sameName, numbers);
  if (digits === undefined) return named;
  if (facets.length > 0) return named + tables.countMatching(ownNames, ranks, numbers);
  return named + sum([true, false], (one) => (isActive === !one ? 0 : tables.countNumbers(one, numbers)));
}

function sum<T>(items: Iterable<T>, count: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += count(item);
  return total;
}
