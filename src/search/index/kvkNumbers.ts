import type { Records } from "./records.ts";
import type { Sections } from "./sections.ts";

/** The first and the last of some KVK numbers, both included. */
export type KvkRange = readonly [from: number, to: number];

/** Companies by KVK number: the ranks of their own names, in the order of the numbers. */
export class KvkNumbers {
  /** Of own names, in the order of the numbers. */
  readonly #ranks: Uint32Array;
  readonly #records: Records;

  constructor(sections: Sections, records: Records) {
    this.#ranks = sections.u32("numbers.ranks");
    this.#records = records;
  }

  get companies(): number {
    return this.#ranks.length;
  }

  /** The rank of the own name of a company, by its place in the order of the numbers. */
  rankAt(place: number): number {
    return this.#ranks[place] ?? 0;
  }

  /** The rank of a company's own name; undefined for a number that is not here. */
  rankOf(kvk: number): number | undefined {
    const place = this.#placeOf(kvk);
    if (place === this.companies) return undefined;
    const rank = this.rankAt(place);
    return this.#records.kvk(rank) === kvk ? rank : undefined;
  }

  /** The ranks of own names of companies with such numbers, in the order of the numbers. */
  *within([from, to]: KvkRange, isActive: boolean): Generator<number> {
    const end = this.#placeOf(to + 1);
    for (let at = this.#placeOf(from); at < end; at++) {
      const rank = this.rankAt(at);
      if (this.#records.isActive(rank) === isActive) yield rank;
    }
  }

  /** The first company whose number is not less. */
  #placeOf(kvk: number): number {
    let [low, high] = [0, this.companies];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#records.kvk(this.rankAt(middle)) < kvk) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
