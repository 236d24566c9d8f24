import type { NameIndex } from "./index/nameIndex.ts";
import type { FoundHit, Match } from "./ranking.ts";

/** A name of an ended company costs more than any other can. */
const ENDED_COST = 1_000_000;
/** More than any rank. */
const MAX_RANKS = 2 ** 32;

/** Names that were found, by what they cost and then by rank; each is made a hit when it is asked for, as most never are. */
export class FoundNames implements Iterable<FoundHit> {
  readonly #index: NameIndex;
  readonly #match: Match;
  /** Cost and rank as one number: numbers are sorted ten times as fast as hits. */
  readonly #places: Float64Array;

  /** @param costs what each name differs by from what is meant, by its rank */
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
