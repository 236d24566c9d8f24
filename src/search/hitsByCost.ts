import type { NameIndex } from "./index/nameIndex.ts";
import type { FoundHit, Match } from "./ranking.ts";

/** Added for inactive companies; higher than any other cost. */
const INACTIVE_COST = 1_000_000;
/** Greater than any rank. */
const MAX_RANKS = 2 ** 32;

/** Names sorted by cost, then by rank. Hits are created on demand, because most are never needed. */
export class HitsByCost implements Iterable<FoundHit> {
  readonly #index: NameIndex;
  readonly #match: Match;
  /** Cost and rank combined into one number, because numbers sort much faster than objects. */
  readonly #keys: Float64Array;

  /** @param costs the distance of each name from the query, by rank */
  constructor(index: NameIndex, costs: ReadonlyMap<number, number>, match: Match) {
    this.#index = index;
    this.#match = match;
    this.#keys = new Float64Array(costs.size);
    let count = 0;
    for (const [rank, cost] of costs) {
      const group = (index.records.isActive(rank) ? 0 : INACTIVE_COST) + cost;
      this.#keys[count++] = group * MAX_RANKS + rank;
    }
    this.#keys.sort();
  }

  get count(): number {
    return this.#keys.length;
  }

  *[Symbol.iterator](): Generator<FoundHit> {
    for (const key of this.#keys) {
      const group = Math.floor(key / MAX_RANKS);
      yield { index: this.#index, rank: key - group * MAX_RANKS, match: this.#match, group };
    }
  }
}
