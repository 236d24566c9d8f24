import type { Records } from "./records.ts";
import type { Sections } from "./sections.ts";

/** A range of KVK numbers, both ends inclusive. */
export type KvkRange = readonly [from: number, to: number];

/** The ranks of main names, sorted by KVK number. */
export class KvkNumbers {
  readonly #ranks: Uint32Array;
  readonly #records: Records;

  constructor(sections: Sections, records: Records) {
    this.#ranks = sections.u32("numbers.ranks");
    this.#records = records;
  }

  get companies(): number {
    return this.#ranks.length;
  }

  /** Returns the rank of a company's main name, by its position. */
  rankAt(position: number): number {
    return this.#ranks[position] ?? 0;
  }

  /** Returns the rank of a company's main name; undefined for an unknown number. */
  rankOf(kvk: number): number | undefined {
    const position = this.#positionOf(kvk);
    if (position === this.companies) return undefined;
    const rank = this.rankAt(position);
    return this.#records.kvk(rank) === kvk ? rank : undefined;
  }

  /** Yields the ranks of main names in a range of numbers, by number. */
  *inRange([from, to]: KvkRange, isActive: boolean): Generator<number> {
    const end = this.#positionOf(to + 1);
    for (let at = this.#positionOf(from); at < end; at++) {
      const rank = this.rankAt(at);
      if (this.#records.isActive(rank) === isActive) yield rank;
    }
  }

  /** Returns the position of the first company whose number is at least `kvk`. */
  #positionOf(kvk: number): number {
    let [low, high] = [0, this.companies];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#records.kvk(this.rankAt(middle)) < kvk) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
