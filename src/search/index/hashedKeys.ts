import type { WordLists } from "./postings.ts";
import { addUp } from "./rankSets.ts";
import type { SectionList, Sections } from "./sections.ts";

/** The maximum average number of keys in a bucket. */
const KEYS_PER_BUCKET = 8;
const MIN_BITS = 4;

/**
 * Builds a hash table from keys to ranks: buckets by the highest bits, each sorted by rank.
 * @param name the prefix of the section names
 * @param lists the hashes of the keys of each name
 */
export function hashedKeysSections(
  name: string,
  { starts: listStarts, words: hashes }: WordLists,
): SectionList {
  const bits = Math.max(MIN_BITS, Math.ceil(Math.log2(Math.max(1, hashes.length / KEYS_PER_BUCKET))));
  const starts = new Uint32Array(2 ** bits + 1);
  const bucketOf = (at: number) => (hashes[at] ?? 0) >>> (32 - bits);
  for (let at = 0; at < hashes.length; at++) {
    const bucket = bucketOf(at);
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
  }
  addUp(starts);
  const sorted = new Uint32Array(hashes.length);
  const checks = new Uint8Array(hashes.length);
  const next = starts.slice();
  for (let rank = 0; rank < listStarts.length - 1; rank++) {
    for (let at = listStarts[rank] ?? 0; at < (listStarts[rank + 1] ?? 0); at++) {
      const bucket = bucketOf(at);
      const position = next[bucket] ?? 0;
      sorted[position] = rank;
      // Stores the lowest byte only.
      checks[position] = hashes[at] ?? 0;
      next[bucket] = position + 1;
    }
  }
  return [
    [`${name}.starts`, starts],
    [`${name}.ranks`, sorted],
    [`${name}.checks`, checks],
  ];
}

/** A hash table from keys to ranks. The keys are not stored, so callers compare the names or facts. */
export class HashedKeys {
  /** The position of the first entry of each bucket, then the end of the last one. */
  readonly #starts: Uint32Array;
  readonly #ranks: Uint32Array;
  /** The lowest byte of the hash of each entry, to skip most other keys in a bucket. */
  readonly #checks: Uint8Array;
  /** The bits of a hash that do not choose its bucket. */
  readonly #shift: number;

  constructor(sections: Sections, name: string) {
    this.#starts = sections.u32(`${name}.starts`);
    this.#ranks = sections.u32(`${name}.ranks`);
    this.#checks = sections.bytes(`${name}.checks`);
    this.#shift = 32 - Math.log2(this.#starts.length - 1);
  }

  /** Returns an upper bound of the number of names with a hash: the size of its bucket. */
  countUpperBound(hash: number): number {
    const bucket = hash >>> this.#shift;
    return (this.#starts[bucket + 1] ?? 0) - (this.#starts[bucket] ?? 0);
  }

  /** Yields the ranks of names that may have a key with this hash, ascending. */
  *withHash(hash: number): Generator<number> {
    const bucket = hash >>> this.#shift;
    const end = this.#starts[bucket + 1] ?? 0;
    for (let at = this.#starts[bucket] ?? 0; at < end; at++) {
      if (this.#checks[at] === (hash & 0xff)) yield this.#ranks[at] ?? 0;
    }
  }
}
