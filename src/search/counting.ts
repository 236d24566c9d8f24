import { MAX_COUNTED, type Total, totalOf } from "../contract/totals.ts";
import type { Steps } from "../lib/steps.ts";
import { mayOmitNames } from "./exactNames.ts";
import type { Ranks } from "./index/conjunction.ts";
import type { IndexQuery } from "./indexQuery.ts";
import { digitsOf, type NameQuery } from "./query.ts";

/** Counting stops here, where there are more companies than can be returned. */
const COUNT_LIMIT = MAX_COUNTED + 1;
/** Names per step, which takes at most 2 ms. */
const NAMES_PER_STEP = 2_000;

/** Counts the companies that match a query in any index, up to {@link COUNT_LIMIT}. */
export function* countCompanies(ofIndexes: readonly (readonly IndexQuery[])[]): Steps<Total> {
  let companies = 0;
  for (const queries of ofIndexes) {
    companies += yield* countIn(queries);
    if (companies >= COUNT_LIMIT) break;
  }
  return totalFound(ofIndexes, companies);
}

/** Returns the total for a count. It is not exact if exact names were omitted that a word search does not find. */
export function totalFound(ofIndexes: readonly (readonly IndexQuery[])[], companies: number): Total {
  const total = totalOf(companies);
  const isExact = ofIndexes
    .flat()
    .every(
      (query) => query.name === undefined || !mayOmitNames(query.index, query.name) || query.exact.isComplete,
    );
  return isExact ? total : { ...total, totalIsExact: false };
}

/** Counts the companies that `ranked` would find in one index, up to {@link COUNT_LIMIT}. */
function* countIn(queries: readonly IndexQuery[]): Steps<number> {
  /** Companies, by the rank of their main name. */
  const companies = new Set<number>();
  for (const query of queries) {
    if (query.name === undefined) {
      yield* addAll(companies, query, query.mainNames());
      continue;
    }
    if (query.name.rewriteRank === "equal") continue;
    for (const { rank } of query.exact.names) companies.add(query.index.mainRank(rank));
    if (query.name.rewriteRank === undefined) yield* addNumbers(companies, query, query.name);
    if (query.words !== undefined) yield* addAll(companies, query, query.matching(query.words.prefixTerms));
  }
  return companies.size;
}

/** Adds the companies whose KVK number begins with the digits of the query. */
function* addNumbers(companies: Set<number>, query: IndexQuery, name: NameQuery): Steps<void> {
  const digits = digitsOf(name);
  if (digits === undefined) return;
  for (const active of [true, false]) {
    if (query.isActive === !active) continue;
    yield* addAll(companies, query, query.withNumberPrefix(digits, active));
    yield;
  }
}

function* addAll(companies: Set<number>, { index }: IndexQuery, ranks: Ranks): Steps<void> {
  let read = 0;
  for (let rank = ranks.next(); rank !== -1 && companies.size < COUNT_LIMIT; rank = ranks.next()) {
    companies.add(index.mainRank(rank));
    if (++read % NAMES_PER_STEP === 0) yield;
  }
}
