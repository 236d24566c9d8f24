/** Intersects the postings (see postings.ts) of several terms: finds the names that match all of them. */
import { ChunkSource, type ChunkView } from "./chunkSource.ts";
import { flatBounds, type NameWords } from "./nameWords.ts";
import { MAX_IN_LIST, type Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, lowerBound, setBit, sortedUnique } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";

/** A term of a query: any word of some ascending ranges, which do not overlap. */
export interface Term {
  readonly ranges: readonly WordRange[];
  /** An upper bound of the number of matching names. */
  readonly maxNames: number;
  /** Whether a name matches. Reads the name instead of the postings, with the same result. */
  matches(rank: number): boolean;
  /** Whether these are words of the name, so that several terms can be checked in one pass. */
  readonly isWord: boolean;
}

/** Ranks in ascending order, without duplicates. */
export interface Ranks {
  /** Returns the next rank; -1 at the end. */
  next(): number;
}

/** Returns all ranks in [from, to) that match every term. */
export function conjunction(
  postings: Postings,
  nameWords: Pick<NameWords, "hasEach">,
  terms: readonly Term[],
  from: number,
  to: number,
): Ranks {
  const [rarest, ...others] = [...terms].sort((a, b) => a.maxNames - b.maxNames);
  if (rarest === undefined) return new RankList(new Uint32Array(0));
  if (rarest.maxNames <= MAX_IN_LIST) {
    return intersectList(postings, nameWords, rarest, others, from, to);
  }
  return new ChunkedConjunction(postings, [rarest, ...others], from, to);
}

/** A reused buffer; results are copied. */
const LIST_BUFFER = new Uint32Array(MAX_IN_LIST);

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

/** Checks the other terms for each name of a rare term. */
function intersectList(
  { starts, ranks }: Postings,
  nameWords: Pick<NameWords, "hasEach">,
  rarest: Term,
  others: readonly Term[],
  from: number,
  to: number,
): Ranks {
  let count = 0;
  const bounds = flatBounds(others.filter(({ isWord }) => isWord).map(({ ranges }) => ranges));
  const facets = others.filter(({ isWord }) => !isWord);
  for (const range of rarest.ranges) {
    const end = starts[range.to] ?? 0;
    for (let at = starts[range.from] ?? 0; at < end; at++) {
      const rank = ranks[at] ?? 0;
      if (rank < from || rank >= to || !nameWords.hasEach(rank, bounds)) continue;
      if (facets.length === 0 || facets.every((term) => term.matches(rank))) LIST_BUFFER[count++] = rank;
    }
  }
  return new RankList(sortedUnique(LIST_BUFFER.subarray(0, count)));
}

/**
 * Intersects common terms chunk by chunk: starts with the rarest term and narrows it by each further term. Chunks in which one term has no
 * names are skipped.
 */
class ChunkedConjunction implements Ranks {
  readonly #postings: Postings;
  readonly #sources: readonly ChunkSource[];
  readonly #from: number;
  readonly #to: number;
  #chunk: number;
  /** The lower 16 bits of the ranks found in the chunk before `#chunk`. */
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
      if (this.#count > 0) this.#found = FOUND.slice(0, this.#count);
    }
  }

  /** Writes the ranks of a chunk that match every term to `FOUND`. @returns their number */
  #intersect(chunk: number): number {
    const sources = this.#sources;
    const [first, second] = sources;
    if (first === undefined) return 0;
    const one = first.viewChunk(chunk);
    if (one.isEmpty) return 0;
    if (second === undefined) return copy(one);
    // A shared view is overwritten by the next source.
    const rarest = one.isShared ? copyView(one) : one;
    const other = second.viewChunk(chunk);
    if (other.isEmpty) return 0;
    const { bits, bitsAt, lows, from, to } = rarest;
    let count = -1;
    if (bits === undefined) count = intersectSorted(lows, from, to, other);
    else if (other.bits === undefined) count = filterByBitmap(other.lows, other.from, other.to, bits, bitsAt);
    else if (sources.length === 2) return intersectBitmaps(bits, bitsAt, other.bits, other.bitsAt);
    else andBitmaps(bits, bitsAt, other.bits, other.bitsAt);
    for (let nth = 2; nth < sources.length && count !== 0; nth++) {
      const next = sources[nth]?.viewChunk(chunk);
      if (next === undefined || next.isEmpty) return 0;
      if (count !== -1) count = intersectSorted(FOUND, 0, count, next);
      else if (next.bits === undefined) count = filterByBitmap(next.lows, next.from, next.to, ALL, 0);
      else if (nth === sources.length - 1) count = intersectBitmaps(ALL, 0, next.bits, next.bitsAt);
      else andBitmaps(ALL, 0, next.bits, next.bitsAt);
    }
    return count;
  }
}

const NONE_FOUND = new Uint16Array(0);
/** Buffers for the intersection of one chunk. Reused: only one chunk is intersected at a time. */
const FOUND = new Uint16Array(CHUNK);
const ALL = new Uint32Array(BITMAP_WORDS);
const COPIED = new Uint32Array(BITMAP_WORDS);

/** Copies a shared view. */
function copyView(view: ChunkView): ChunkView {
  if (view.bits === undefined) return view;
  COPIED.set(view.bits);
  return { ...view, bits: COPIED, bitsAt: 0 };
}

/** Writes all ranks of a chunk to `FOUND`. @returns their number */
function copy({ bits, bitsAt, lows, from, to }: ChunkView): number {
  if (bits !== undefined) return intersectBitmaps(bits, bitsAt, bits, bitsAt);
  FOUND.set(lows.subarray(from, to));
  return to - from;
}

/** Writes the intersection of two bitmaps to `ALL`. */
function andBitmaps(one: Uint32Array, oneAt: number, other: Uint32Array, otherAt: number): void {
  for (let word = 0; word < BITMAP_WORDS; word++) {
    ALL[word] = (one[oneAt + word] ?? 0) & (other[otherAt + word] ?? 0);
  }
}

/** Writes the numbers that a bitmap contains to `FOUND`. Branchless, because the branch would be unpredictable. @returns their number */
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
    FOUND[count] = low;
    count += ((bits[start + (low >>> 5)] ?? 0) >>> (low & 31)) & 1;
  }
  return count;
}

/** From this ratio of lengths on, galloping search is used. */
const MIN_GALLOPING_RATIO = 16;
const MARKED = new Uint32Array(BITMAP_WORDS);

/** Writes the sorted numbers that a chunk also contains to `FOUND`. @returns their number */
function intersectSorted(lows: Uint16Array, from: number, to: number, other: ChunkView): number {
  if (other.bits !== undefined) return filterByBitmap(lows, from, to, other.bits, other.bitsAt);
  const { lows: others, from: first, to: end } = other;
  if (end - first <= (to - from) * MIN_GALLOPING_RATIO) {
    // Faster than merging both lists, because it needs no branches.
    MARKED.fill(0);
    for (let at = first; at < end; at++) setBit(MARKED, others[at] ?? 0);
    return filterByBitmap(lows, from, to, MARKED, 0);
  }
  let count = 0;
  let position = first;
  for (let at = from; at < to; at++) {
    const low = lows[at] ?? 0;
    position = gallop(others, position, end, low);
    if (position === end) break;
    if (others[position] === low) FOUND[count++] = low;
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

/** Writes the numbers that two bitmaps have in common to `FOUND`. @returns their number */
function intersectBitmaps(one: Uint32Array, oneAt: number, other: Uint32Array, otherAt: number): number {
  let count = 0;
  for (let word = 0; word < BITMAP_WORDS; word++) {
    for (let left = (one[oneAt + word] ?? 0) & (other[otherAt + word] ?? 0); left !== 0; left &= left - 1) {
      FOUND[count++] = word * 32 + 31 - Math.clz32(left & -left);
    }
  }
  return count;
}
