import { MAX_COUNTED, type Total, totalOf } from "../contract/totals.ts";
import type { Steps } from "../lib/steps.ts";
import { mayOmitNames } from "./exactNames.ts";
import type { Ranks } from "./index/conjunction.ts";
import type { IndexQuery } from "./indexQuery.ts";
import { digitsOf, type NameQuery } from "./query.ts";

/** Counting stops here: there are more companies than can be returned. */
const ENOUGH = MAX_COUNTED + 1;
/** Names read in one step, which takes two milliseconds at most. */
const NAMES_IN_A_STEP = 2_000;

/** The number of companies that satisfy one of the queries of some indexes, counted up to {@link ENOUGH}. */
export function* countCompanies(ofIndexes: readonly (readonly IndexQuery[])[]): Steps<Total> {
  let companies = 0;
  for (const queries of ofIndexes) {
    companies += yield* countIn(queries);
    if (companies >= ENOUGH) break;
  }
  return totalFound(ofIndexes, companies);
}

/** The total for a count; not exact when exact names were left out that the words of the query do not find. */
export function totalFound(ofIndexes: readonly (readonly IndexQuery[])[], companies: number): Total {
  const total = totalOf(companies);
  const areAll = ofIndexes
    .flat()
    .every(
      (query) => query.name === undefined || !mayOmitNames(query.index, query.name) || query.exact.areAll,
    );
  return areAll ? total : { ...total, totalIsExact: false };
}

/** The number of companies that `ranked` would find for the queries of one index, up to {@link ENOUGH}, without fetching them. */
function* countIn(queries: readonly IndexQuery[]): Steps<number> {
  /** Companies by the ranks of their own names. */
  const companies = new Set<number>();
  for (const query of queries) {
    if (query.name === undefined) {
      yield* addAll(companies, query, query.ownNames());
      continue;
    }
    if (query.name.rewriteRank === "equal") continue;
    for (const { rank } of query.exact.names) companies.add(query.index.ownRank(rank));
    if (query.name.rewriteRank === undefined) yield* addNumbers(companies, query, query.name);
    if (query.words !== undefined) yield* addAll(companies, query, query.all(query.words.starts));
  }
  return companies.size;
}

/** Adds the companies whose KVK number begins with the digits of the name. */
function* addNumbers(companies: Set<number>, query: IndexQuery, name: NameQuery): Steps<void> {
  const digits = digitsOf(name);
  if (digits === undefined) return;
  for (const active of [true, false]) {
    if (query.isActive === !active) continue;
    yield* addAll(companies, query, query.withNumbers(digits, active));
    yield;
  }
}

function* addAll(companies: Set<number>, { index }: IndexQuery, ranks: Ranks): Steps<void> {
  let read = 0;
  for (let rank = ranks.next(); rank !== -1 && companies.size < ENOUGH; rank = ranks.next()) {
    companies.add(index.ownRank(rank));
    if (++read % NAMES_IN_A_STEP === 0) yield;
  }
}
