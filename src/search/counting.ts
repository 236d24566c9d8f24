import { MOST_COUNTED, type Total, totalOf } from "../contract/totals.ts";
import type { Steps } from "../lib/steps.ts";
import {
  askedWords,
  ownNames,
  type Question,
  rankBounds,
  type Wanted,
  wantedIn,
  withFacets,
} from "./asked.ts";
import { exactNames, mayLeaveOut } from "./exactNames.ts";
import type { Ranks } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { digitsOf } from "./query.ts";
import { numbersFrom } from "./ranking.ts";

/** One more than is told: then it is known that there are more. */
const ENOUGH = MOST_COUNTED + 1;
/** So many names are looked at in one step, which takes a millisecond or two at most. */
const NAMES_IN_A_STEP = 4_000;

/** What is told of how many companies there are in all indexes, counted until there are {@link ENOUGH}. */
export function* countCompanies(indexes: readonly NameIndex[], question: Question): Steps<Total> {
  let companies = 0;
  for (const index of indexes) {
    const wanted = wantedIn(index, question);
    if (wanted !== undefined) companies += yield* countIn(index, wanted);
    if (companies >= ENOUGH) break;
  }
  return totalFound(indexes, question, companies);
}

/** What is told of so many companies that were found: not exact where some that have the very name were left out. */
export function totalFound(indexes: readonly NameIndex[], question: Question, companies: number): Total {
  const total = totalOf(companies);
  const areAll = indexes.every((index) => {
    const wanted = wantedIn(index, question);
    if (wanted?.query === undefined || !mayLeaveOut(index, wanted.query)) return true;
    return exactNames(index, wanted, wanted.query).areAll;
  });
  return areAll ? total : { ...total, totalIsExact: false };
}

/** How many companies `ranked` would give, {@link ENOUGH} at most, without fetching them. */
function* countIn(index: NameIndex, wanted: Wanted): Steps<number> {
  const { query, facets, isActive } = wanted;
  const counted = new CompanyCount(index);
  if (query === undefined) {
    yield* counted.addAll(ownNames(index, wanted));
    return counted.companies;
  }
  for (const { rank } of exactNames(index, wanted, query).names) counted.add(rank, true);
  const digits = digitsOf(query);
  if (digits !== undefined) {
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
  const asked = askedWords(index, query);
  if (asked === undefined) return counted.companies;
  const [from, to] = rankBounds(index, isActive);
  counted.keepFromHere();
  yield* counted.addAll(index.all([...asked.starts, ...facets], from, to));
  return counted.companies;
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
