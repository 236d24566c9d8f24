/** Intersects the postings (see postings.ts) of several terms: finds the names that match all of them. */
import { ChunkSource, type ChunkView } from "./chunkSource.ts";
import { MAX_IN_LIST, type Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, lowerBound, setBit, sortedUnique } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";

/** A term of a query: any word of some ascending ranges, which do not overlap. */
export interface Term {
  readonly ranges: readonly WordRange[];
  /** An upper bound of the number of matching names. */
  readonly maxNames: number;
  /** Whether a name matches. Reads the name instead of the postings, with the same result. */
  readonly matches: (rank: number) => boolean;
}

/** Ranks in ascending order, without duplicates. */
export interface Ranks {
  /** Returns the next rank; -1 at the end. */
  next(): number;
}

/** Returns all ranks in [from, to) that match every term. */
export function conjunction(postings: Postings, terms: readonly Term[], from: number, to: number): Ranks {
  const [rarest, ...others] = [...terms].sort((a, b) => a.maxNames - b.maxNames);
  if (rarest === undefined) return new RankList(new Uint32Array(0));
  if (rarest.maxNames <= MAX_IN_LIST) {
    return intersectList(postings, rarest, others, from, to);
  }
  return new ChunkedConjunction(postings, [rarest, ...others], from, to);
}

// Reused buffers: only one intersection runs at a time, and its result is copied.

/** The matching ranks of a rare term. */
const LIST_BUFFER = new Uint32Array(MAX_IN_LIST);
/** The result for a chunk, as the lower 16 bits of the ranks. */
const FOUND_LOWS = new Uint16Array(CHUNK);
/** The ranks that all terms so far have in common, while each of them has a bitmap. */
const COMMON_BITS = new Uint32Array(BITMAP_WORDS);
/** The bitmap of the rarest term, if the next source would overwrite it. */
const COPIED_BITS = new Uint32Array(BITMAP_WORDS);
/** The numbers of a list that is intersected with another list. */
const MARKED_BITS = new Uint32Array(BITMAP_WORDS);

const NONE_FOUND = new Uint16Array(0);
/**
 * A name is searched for in up to this many sets and lists. They lie closer together in memory than the words of names.
 */
const MAX_TESTED_PARTS = 16;
/** Up to this ratio of their lengths, marking the longer list in a bitmap is faster than a galloping search in it. */
const MAX_MARKED_RATIO = 16;

class RankList implements Ranks {
  readonly #ranks: Uint32Array;
  #at = 0;

  constructor(ranks: Uint32Array) {
    this.#ranks = ranks;
  }

  next(): number {
    return this.#ranks[this.#at++] ?? -1;
  }
}

/**
 * Checks the other terms for each name of a rare term. Its words have at most `MAX_IN_LIST` names together, so each of
 * them has all of its names in a plain list, and none in a set.
 */
function intersectList(
  postings: Postings,
  rarest: Term,
  others: readonly Term[],
  from: number,
  to: number,
): Ranks {
  const { starts, ranks } = postings;
  const tests = others.map((term) => {
    const parts = postings.partsOf(term.ranges);
    const areFew = parts.sets.length + parts.lists.length <= MAX_TESTED_PARTS;
    return areFew ? (rank: number) => postings.has(parts, rank) : term.matches;
  });
  let count = 0;
  for (const range of rarest.ranges) {
    const end = starts[range.to] ?? 0;
    for (let at = starts[range.from] ?? 0; at < end; at++) {
      const rank = ranks[at] ?? 0;
      if (rank >= from && rank < to && tests.every((matches) => matches(rank))) LIST_BUFFER[count++] = rank;
    }
  }
  return new RankList(sortedUnique(LIST_BUFFER.subarray(0, count)));
}

/**
 * Intersects common terms chunk by chunk: starts with the rarest term and narrows it by each further term. Chunks
 * in which one term has no names are skipped.
 */
class ChunkedConjunction implements Ranks {
  readonly #postings: Postings;
  readonly #sources: readonly ChunkSource[];
  readonly #from: number;
  readonly #to: number;
  /** The next chunk to intersect. */
  #chunk: number;
  /**
   * The lower 16 bits of the `#count` ranks found in the chunk before that, and the position of the next one to return.
   */
  #found = NONE_FOUND;
  #count = 0;
  #at = 0;

  constructor(postings: Postings, terms: readonly Term[], from: number, to: number) {
    this.#postings = postings;
    this.#sources = terms.map(({ ranges }) => new ChunkSource(postings, ranges));
    this.#from = from;
    this.#to = to;
    this.#chunk = from >>> 16;
  }

  next(): number {
    for (;;) {
      while (this.#at < this.#count) {
        const rank = ((this.#chunk - 1) << 16) | (this.#found[this.#at++] ?? 0);
        if (rank >= this.#to) return -1;
        if (rank >= this.#from) return rank;
      }
      if (this.#chunk >= this.#postings.chunks || this.#chunk << 16 >= this.#to) return -1;
      this.#at = 0;
      this.#count = this.#intersect(this.#chunk++);
      if (this.#count > 0) this.#found = FOUND_LOWS.slice(0, this.#count);
    }
  }

  /**
   * Writes the ranks of a chunk that match every term to `FOUND_LOWS`. Between terms the result is a list there, or a
   * bitmap in `COMMON_BITS`.
   * @returns their number
   */
  #intersect(chunk: number): number {
    const sources = this.#sources;
    const [first, second] = sources;
    if (first === undefined) return 0;
    const firstView = first.viewChunk(chunk);
    if (firstView.isEmpty) return 0;
    if (second === undefined) return copy(firstView);
    const rarestView = firstView.isShared ? copyShared(firstView) : firstView;
    const other = second.viewChunk(chunk);
    if (other.isEmpty) return 0;
    const { bits, bitsAt, lows, from, to } = rarestView;
    let [count, isBitmap] = [0, false];
    if (bits === undefined) count = intersectSorted(lows, from, to, other);
    else if (other.bits === undefined) count = filterByBitmap(other.lows, other.from, other.to, bits, bitsAt);
    else if (sources.length === 2) return intersectBitmaps(bits, bitsAt, other.bits, other.bitsAt);
    else {
      andBitmaps(bits, bitsAt, other.bits, other.bitsAt);
      isBitmap = true;
    }
    for (let nth = 2; nth < sources.length && (isBitmap || count > 0); nth++) {
      const next = sources[nth]?.viewChunk(chunk);
      if (next === undefined || next.isEmpty) return 0;
      // `FOUND_LOWS` may be read and written at once, because no number moves to a later position.
      if (!isBitmap) count = intersectSorted(FOUND_LOWS, 0, count, next);
      else if (next.bits === undefined) {
        count = filterByBitmap(next.lows, next.from, next.to, COMMON_BITS, 0);
        isBitmap = false;
      } else if (nth < sources.length - 1) andBitmaps(COMMON_BITS, 0, next.bits, next.bitsAt);
      else return intersectBitmaps(COMMON_BITS, 0, next.bits, next.bitsAt);
    }
    return count;
  }
}

/** Copies a shared view, which the next view of any source would overwrite. It is always a bitmap. */
function copyShared(view: ChunkView): ChunkView {
  if (view.bits === undefined) return view;
  COPIED_BITS.set(view.bits);
  return { ...view, bits: COPIED_BITS, bitsAt: 0 };
}

/** Writes all ranks of a chunk to `FOUND_LOWS`. @returns their number */
function copy({ bits, bitsAt, lows, from, to }: ChunkView): number {
  // A bitmap has all of its ranks in common with itself.
  if (bits !== undefined) return intersectBitmaps(bits, bitsAt, bits, bitsAt);
  FOUND_LOWS.set(lows.subarray(from, to));
  return to - from;
}

/** Writes the intersection of two bitmaps to `COMMON_BITS`. */
function andBitmaps(one: Uint32Array, oneAt: number, other: Uint32Array, otherAt: number): void {
  for (let word = 0; word < BITMAP_WORDS; word++) {
    COMMON_BITS[word] = (one[oneAt + word] ?? 0) & (other[otherAt + word] ?? 0);
  }
}

/**
 * Writes those numbers of a sorted list that a bitmap contains to `FOUND_LOWS`. Without a branch, which would be
 * unpredictable: each number is written, and the next one overwrites it unless it counts. @returns their number
 */
function filterByBitmap(
  lows: Uint16Array,
  from: number,
  to: number,
  bits: Uint32Array,
  start: number,
): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const low = lows[at] ?? 0;
    FOUND_LOWS[count] = low;
    count += ((bits[start + (low >>> 5)] ?? 0) >>> (low & 31)) & 1;
  }
  return count;
}

/** Writes those numbers of a sorted list that a chunk also contains to `FOUND_LOWS`. @returns their number */
function intersectSorted(lows: Uint16Array, from: number, to: number, other: ChunkView): number {
  if (other.bits !== undefined) return filterByBitmap(lows, from, to, other.bits, other.bitsAt);
  const { lows: others, from: first, to: end } = other;
  if (end - first <= (to - from) * MAX_MARKED_RATIO) {
    // Faster than merging both lists, because it needs no branches.
    MARKED_BITS.fill(0);
    for (let at = first; at < end; at++) setBit(MARKED_BITS, others[at] ?? 0);
    return filterByBitmap(lows, from, to, MARKED_BITS, 0);
  }
  let count = 0;
  let position = first;
  for (let at = from; at < to; at++) {
    const low = lows[at] ?? 0;
    position = gallop(others, position, end, low);
    if (position === end) break;
    if (others[position] === low) FOUND_LOWS[count++] = low;
  }
  return count;
}

/** Like `lowerBound`, but fast if the result is near `from`: steps double (Bentley and Yao, 1976). */
function gallop(array: Uint16Array, from: number, to: number, value: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (array[low + step] ?? 0) < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(array, low, Math.min(to, low + step + 1), value);
}

/** Writes the numbers that two bitmaps have in common to `FOUND_LOWS`. @returns their number */
function intersectBitmaps(one: Uint32Array, oneAt: number, other: Uint32Array, otherAt: number): number {
  let count = 0;
  for (let word = 0; word < BITMAP_WORDS; word++) {
    for (let left = (one[oneAt + word] ?? 0) & (other[otherAt + word] ?? 0); left !== 0; left &= left - 1) {
      // `left & -left` is the lowest set bit; `left & (left - 1)` clears it.
      FOUND_LOWS[count++] = word * 32 + 31 - Math.clz32(left & -left);
    }
  }
  return count;
}
