import type { NameIndex } from "./index/nameIndex.ts";
import type { FoundHit, Match } from "./ranking.ts";

/** A penalty for names of ended companies, higher than any other cost. */
const ENDED_COST = 1_000_000;
/** More than any rank. */
const MAX_RANKS = 2 ** 32;

/** Found names by cost and then by rank; each becomes a hit on demand, as most never do. */
export class FoundNames implements Iterable<FoundHit> {
  readonly #index: NameIndex;
  readonly #match: Match;
  /** Cost and rank as one number: numbers are sorted ten times as fast as hits. */
  readonly #places: Float64Array;

  /** @param costs the distance of each name from the query, by its rank */
  constructor(index: NameIndex, costs: ReadonlyMap<number, number>, match: Match) {
    this.#index = index;
    this.#match = match;
    this.#places = new Float64Array(costs.size);
    let count = 0;
    for (const [rank, cost] of costs) {
      const group = (index.records.isActive(rank) ? 0 : ENDED_COST) + cost;
      this.#places[count++] = group * MAX_RANKS + rank;
    }
    this.#places.sort();
  }

  get count(): number {
    return this.#places.length;
  }

  *[Symbol.iterator](): Generator<FoundHit> {
    for (const place of this.#places) {
      const group = Math.floor(place / MAX_RANKS);
      yield { index: this.#index, rank: place - group * MAX_RANKS, match: this.#match, group };
    }
  }
}
