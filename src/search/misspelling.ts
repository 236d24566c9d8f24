import { hasAbbreviated } from "./abbreviations.ts";
import { CandidateQueries, MAX_WORDS, type Stage } from "./candidateQueries.ts";
import { HitsByCost } from "./hitsByCost.ts";
import type { Term } from "./index/conjunction.ts";
import type { Budget } from "./index/editDistance.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { MAX_IN_LIST } from "./index/postings.ts";
import { CHUNK } from "./index/rankSets.ts";
import { type IndexQuery, indexQueries, type SearchQuery } from "./indexQuery.ts";
import { type IntendedWords, MatchCost } from "./matchCost.ts";
import type { NameQuery } from "./query.ts";
import type { FoundHit, Match } from "./ranking.ts";

/** The names that a misspelled query may stand for. */
export interface MisspelledHits {
  /** One list per query of an index, best first, each name once. */
  readonly lists: readonly Iterable<FoundHit>[];
  /** False when the budget or {@link MAX_NAMES} ended the search. */
  readonly isComplete: boolean;
}

/** The steps that the correction of one query may take: about 1.5 ms. */
const MAX_STEPS = 120_000;
/** Steps to read one name. */
const STEPS_PER_NAME = 20;
/** Steps per 65,536 names to intersect a term of one word with others. */
const STEPS_PER_CHUNK = 40;
/** The same for a term of several words, whose postings must be merged first. */
const STEPS_PER_UNION = 160;
/** The maximum number of names to read per candidate query. */
const MAX_NAMES = 250;
/** The same if each name is compared word by word. */
const MAX_COMPARED = 40;

/** Tried in order until one finds a name. Typos come first: they are more frequent, and found faster. */
const STAGES: readonly Stage[] = [
  { edits: 1, allowPrefixes: false },
  { edits: 2, allowPrefixes: false },
  { abbreviations: "signed" },
  { abbreviations: "any" },
  { edits: 1, allowPrefixes: true },
  { edits: 2, allowPrefixes: true },
];

/**
 * Finds names for a query without an exact match. Each stage makes candidate queries, finds the names that match one of
 * them, and sorts these by their difference from the candidate.
 * @param indexes of a snapshot's layers, the base's first. The others share a second budget, so a query costs at most
 * two.
 */
export function findMisspelled(
  indexes: readonly NameIndex[],
  query: SearchQuery,
  { words }: NameQuery,
): MisspelledHits {
  if (words.length > MAX_WORDS) return { lists: [], isComplete: true };
  const baseBudget: Budget = { left: MAX_STEPS };
  const deltaBudget: Budget = { left: MAX_STEPS };
  const searches = indexes.flatMap((index, position) => {
    const budget = position === 0 ? baseBudget : deltaBudget;
    return indexQueries(index, query).map((indexQuery) => new MisspelledSearch(indexQuery, words, budget));
  });
  const areComplete = () => searches.every(({ isComplete }) => isComplete);
  for (const stage of STAGES) {
    const lists = searches.map((search) => search.find(stage));
    if (lists.some(({ count }) => count > 0)) return { lists, isComplete: areComplete() };
  }
  return { lists: [], isComplete: areComplete() };
}

/** The search for a misspelled query in one index. */
class MisspelledSearch {
  readonly #query: IndexQuery;
  readonly #words: readonly string[];
  readonly #budget: Budget;
  readonly #candidates: CandidateQueries;
  readonly #cost: MatchCost;
  #hasMore = false;

  constructor(query: IndexQuery, words: readonly string[], budget: Budget) {
    this.#query = query;
    this.#words = words;
    this.#budget = budget;
    this.#candidates = new CandidateQueries(query.index, words, budget);
    this.#cost = new MatchCost(query.index);
  }

  /** False when this search ended early, or a search that shares its budget did. */
  get isComplete(): boolean {
    return !this.#hasMore && this.#budget.left > 0;
  }

  /** Finds the names of a stage, best first. */
  find(stage: Stage): HitsByCost {
    const costs = new Map<number, number>();
    for (const candidate of this.#candidates.of(stage)) {
      if (candidate.length === 0 || candidate.some(({ required }) => required.length === 0)) continue;
      this.#addNames(candidate, costs, stage);
      if (this.#budget.left <= 0) break;
    }
    return new HitsByCost(this.#query.index, costs, matchOf(stage));
  }

  /** Adds the names that match a candidate, each with its lowest cost. @param costs by rank */
  #addNames(candidate: readonly IntendedWords[], costs: Map<number, number>, stage: Stage): void {
    const budget = this.#budget;
    const terms = candidate.map(({ required }) => this.#query.index.wordTerm(required));
    const ranks = this.#query.matching(terms);
    budget.left -= this.#estimatedSteps(terms);
    if (budget.left <= 0) return;
    const limit = "abbreviations" in stage ? MAX_COMPARED : MAX_NAMES;
    for (let count = 0; count < limit && budget.left > 0; count++) {
      const rank = ranks.next();
      if (rank === -1) return;
      budget.left -= STEPS_PER_NAME;
      if ("abbreviations" in stage && !this.#isAbbreviated(rank, stage.abbreviations)) continue;
      const cost = this.#cost.of(rank, candidate);
      costs.set(rank, Math.min(cost, costs.get(rank) ?? cost));
    }
    if (budget.left > 0 && ranks.next() !== -1) this.#hasMore = true;
  }

  #isAbbreviated(rank: number, kind: "signed" | "any"): boolean {
    return hasAbbreviated(this.#query.index.records.text(rank), this.#words, kind === "any");
  }

  /** Estimates the steps to find the names that match all terms. */
  #estimatedSteps(terms: readonly Term[]): number {
    const rarest = Math.min(...terms.map(({ maxNames }) => maxNames));
    if (rarest <= MAX_IN_LIST) return rarest * 4;
    const chunks = Math.ceil(this.#query.index.names / CHUNK);
    const stepsPerChunk = terms.map(({ ranges }) => (ranges.length > 1 ? STEPS_PER_UNION : STEPS_PER_CHUNK));
    return chunks * stepsPerChunk.reduce((sum, steps) => sum + steps, 0);
  }
}

/** An abbreviation with a dot or a hyphen is not a typo. */
function matchOf(stage: Stage): Match {
  if ("abbreviations" in stage) return stage.abbreviations === "signed" ? "starts" : "one-edit";
  return stage.edits === 1 ? "one-edit" : "two-edits";
}
