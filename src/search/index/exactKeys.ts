import type { WordLists } from "./postings.ts";
import { addUp } from "./rankSets.ts";
import type { SectionList, Sections } from "./sections.ts";

/** The average number of hashes in a bucket, at most. */
const HASHES_PER_BUCKET = 8;
/** The minimum number of bits of a hash that choose its bucket. */
const MIN_BUCKET_BITS = 4;

/** Builds a hash table of exact keys (see legalFormWords.ts) from the hashes of each name: buckets by their highest bits, each sorted by rank. */
export function exactKeysSections({ starts: listStarts, words: hashes }: WordLists): SectionList {
  const buckets = Math.max(1, hashes.length / HASHES_PER_BUCKET);
  const bits = Math.max(MIN_BUCKET_BITS, Math.ceil(Math.log2(buckets)));
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
    ["exact.starts", starts],
    ["exact.ranks", sorted],
    ["exact.checks", checks],
  ];
}

/** A hash table of exact keys. The keys are not stored, so callers compare the names. */
export class ExactKeys {
  /** The position of the first entry of each bucket, then the end of the last one. */
  readonly #starts: Uint32Array;
  readonly #ranks: Uint32Array;
  /** The lowest byte of the hash of each entry, to skip most other keys in a bucket. */
  readonly #checks: Uint8Array;
  /** The bits of a hash that do not choose its bucket. */
  readonly #shift: number;

  constructor(sections: Sections) {
    this.#starts = sections.u32("exact.starts");
    this.#ranks = sections.u32("exact.ranks");
    this.#checks = sections.bytes("exact.checks");
    this.#shift = 32 - Math.log2(this.#starts.length - 1);
  }

  /** Returns an upper bound of the number of names with a hash: the size of its bucket. */
  maxWithHash(hash: number): number {
    const bucket = hash >>> this.#shift;
    return (this.#starts[bucket + 1] ?? 0) - (this.#starts[bucket] ?? 0);
  }

  /** Yields the ranks of names that may have an exact key with this hash, ascending. */
  *withHash(hash: number): Generator<number> {
    const bucket = hash >>> this.#shift;
    const end = this.#starts[bucket + 1] ?? 0;
    for (let at = this.#starts[bucket] ?? 0; at < end; at++) {
      if (this.#checks[at] === (hash & 0xff)) yield this.#ranks[at] ?? 0;
    }
  }
}
