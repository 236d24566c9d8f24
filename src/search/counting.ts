import { MOST_COUNTED, type Total, totalOf } from "../contract/totals.ts";
import type { Steps } from "../lib/steps.ts";
import {
  allWantedIn,
  askedWords,
  ownNames,
  type Question,
  rankBounds,
  type Wanted,
  withFacets,
} from "./asked.ts";
import { exactNames, mayLeaveOut } from "./exactNames.ts";
import type { Ranks } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { digitsOf, type NameQuery } from "./query.ts";
import { numbersFrom } from "./ranking.ts";

/** One more than is told: then it is known that there are more. */
const ENOUGH = MOST_COUNTED + 1;
/** So many names are looked at in one step, which takes a millisecond or two at most. */
const NAMES_IN_A_STEP = 4_000;

/** What is told of how many companies there are in all indexes, counted until there are {@link ENOUGH}. */
export function* countCompanies(indexes: readonly NameIndex[], question: Question): Steps<Total> {
  let companies = 0;
  for (const index of indexes) {
    companies += yield* countIn(index, allWantedIn(index, question));
    if (companies >= ENOUGH) break;
  }
  return totalFound(indexes, question, companies);
}

/** What is told of so many companies that were found: not exact where some that have the very name were left out. */
export function totalFound(indexes: readonly NameIndex[], question: Question, companies: number): Total {
  const total = totalOf(companies);
  const areAll = indexes.every((index) =>
    allWantedIn(index, question).every((wanted) => {
      if (wanted.query === undefined || !mayLeaveOut(index, wanted.query)) return true;
      return exactNames(index, wanted, wanted.query).areAll;
    }),
  );
  return areAll ? total : { ...total, totalIsExact: false };
}

/** How many companies `ranked` would give for one thing or another that is wanted, {@link ENOUGH} at most, without fetching them. */
function* countIn(index: NameIndex, either: readonly Wanted[]): Steps<number> {
  const counted = new CompanyCount(index);
  const lists: Ranks[] = [];
  for (const wanted of either) {
    const { query, facets, isActive } = wanted;
    if (query === undefined) {
      yield* counted.addAll(ownNames(index, wanted));
      return counted.companies;
    }
    if (query.restates === "equal") continue;
    for (const { rank } of exactNames(index, wanted, query).names) counted.add(rank, true);
    const asked = askedWords(index, query);
    if (asked !== undefined)
      lists.push(index.all([...asked.starts, ...facets], ...rankBounds(index, isActive)));
    if (query.restates === undefined) yield* countNumbers(index, wanted, query, counted);
  }
  counted.keepFromHere();
  yield* counted.addAll(unitedRanks(lists));
  return counted.companies;
}

function* countNumbers(
  index: NameIndex,
  { facets, isActive }: Wanted,
  query: NameQuery,
  counted: CompanyCount,
): Steps<void> {
  const digits = digitsOf(query);
  if (digits === undefined) return;
  for (const active of [true, false]) {
    if (isActive === !active) continue;
    const all = index.numbers.within(numbersFrom(digits), active);
    const ranks = facets.length === 0 ? all : withFacets(index, all, { facets, isActive: active });
    let looked = 0;
    for (const rank of ranks) {
      if (counted.companies >= ENOUGH) break;
      if (index.isShown(rank)) counted.add(rank, true);
      if (++looked % NAMES_IN_A_STEP === 0) yield;
    }
    yield;
  }
}

/** The ranks of several lists, ascending, each once. */
function unitedRanks(lists: readonly Ranks[]): Ranks {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const heads = lists.map((list) => list.next());
  return {
    next() {
      const left = heads.filter((head) => head !== -1);
      if (left.length === 0) return -1;
      const least = Math.min(...left);
      for (const [nth, list] of lists.entries()) if (heads[nth] === least) heads[nth] = list.next();
      return least;
    },
  };
}

/** Counts companies by their names. A company with one name needs no remembering in a list that has no name twice. */
class CompanyCount {
  readonly #index: NameIndex;
  readonly #seen = new Set<number>();
  #unremembered = 0;
  #isRemembered = (_rank: number) => false;

  constructor(index: NameIndex) {
    this.#index = index;
  }

  get companies(): number {
    return this.#seen.size + this.#unremembered;
  }

  add(rank: number, remembers: boolean): void {
    if (this.#index.records.isOnly(rank) && !remembers) {
      if (!this.#isRemembered(rank)) this.#unremembered++;
    } else this.#seen.add(this.#index.records.ownRank(rank));
  }

  /** What was counted so far may come again in the list to come. */
  keepFromHere(): void {
    if (this.#seen.size > 0) this.#isRemembered = (rank) => this.#seen.has(rank);
  }

  *addAll(ranks: Ranks): Steps<void> {
    let looked = 0;
    for (let rank = ranks.next(); rank !== -1 && this.companies < ENOUGH; rank = ranks.next()) {
      this.add(rank, false);
      if (++looked % NAMES_IN_A_STEP === 0) yield;
    }
  }
}
