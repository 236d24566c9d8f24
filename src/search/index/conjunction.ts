import { ChunkSource, type ChunkView } from "./chunkSource.ts";
import { flatBounds, type NameWords } from "./nameWords.ts";
import { MAX_IN_LIST, type Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, lowerBound, setBit, sortedUnique } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";

/** One term of a query: a word in some ranges, which ascend and do not overlap. */
export interface Term {
  readonly ranges: readonly WordRange[];
  /** The maximum number of names that match. */
  readonly names: number;
  /** Whether a name matches: the same result as from the postings, read from the name itself. */
  isOf(rank: number): boolean;
  /** Whether the words are those of the name, so that many terms can be looked for in it at once. */
  readonly isWord: boolean;
}

/** Ranks, ascending, each once. */
export interface Ranks {
  /** The next rank; -1 when there are no more. */
  next(): number;
}

/** All ranks that satisfy every term, from `from` to `to`, the latter not included. */
export function conjunction(
  postings: Postings,
  nameWords: Pick<NameWords, "hasEach">,
  terms: readonly Term[],
  from: number,
  to: number,
): Ranks {
  const [rarest, ...others] = [...terms].sort((a, b) => a.names - b.names);
  if (rarest === undefined) return new RankList(new Uint32Array(0));
  if (rarest.names <= MAX_IN_LIST) {
    return gathered(postings, nameWords, rarest, others, from, to);
  }
  return new ChunkedConjunction(postings, [rarest, ...others], from, to);
}

/** A buffer of ranks for one list; the result is a copy. */
const GATHERED = new Uint32Array(MAX_IN_LIST);

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

/** Reads all names of a term that few have, and asks each of them for the other terms. */
function gathered(
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
      if (facets.length === 0 || facets.every((term) => term.isOf(rank))) GATHERED[count++] = rank;
    }
  }
  return new RankList(sortedUnique(GATHERED.subarray(0, count)));
}

/**
 * Intersects terms that many names have, 65,536 ranks at a time: the rarest as an array or a bitmap, which each further term narrows.
 * Chunks of which one term has nothing cost next to nothing.
 */
class ChunkedConjunction implements Ranks {
  readonly #postings: Postings;
  readonly #sources: readonly ChunkSource[];
  readonly #from: number;
  readonly #to: number;
  #chunk: number;
  /** The lower halves of the ranks found in the chunk before `#chunk`. */
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

  /** @returns how many ranks of a chunk satisfy every term; `FOUND` holds them */
  #intersect(chunk: number): number {
    const sources = this.#sources;
    const [first, second] = sources;
    if (first === undefined) return 0;
    const one = first.take(chunk);
    if (one.isEmpty) return 0;
    if (second === undefined) return copy(one);
    // The view of several sets and lists holds until another source is asked.
    const rarest = one.isShared ? keptView(one) : one;
    const other = second.take(chunk);
    if (other.isEmpty) return 0;
    const { bits, bitsAt, lows, from, to } = rarest;
    let count = -1;
    if (bits === undefined) count = common(lows, from, to, other);
    else if (other.bits === undefined) count = keepBits(other.lows, other.from, other.to, bits, bitsAt);
    else if (sources.length === 2) return extractBoth(bits, bitsAt, other.bits, other.bitsAt);
    else andBitmaps(bits, bitsAt, other.bits, other.bitsAt);
    for (let nth = 2; nth < sources.length && count !== 0; nth++) {
      const next = sources[nth]?.take(chunk);
      if (next === undefined || next.isEmpty) return 0;
      if (count !== -1) count = common(FOUND, 0, count, next);
      else if (next.bits === undefined) count = keepBits(next.lows, next.from, next.to, ALL, 0);
      else if (nth === sources.length - 1) count = extractBoth(ALL, 0, next.bits, next.bitsAt);
      else andBitmaps(ALL, 0, next.bits, next.bitsAt);
    }
    return count;
  }
}

const NONE_FOUND = new Uint16Array(0);
/** Buffers for the intersection of one chunk. Reused: only one chunk is intersected at a time. */
const FOUND = new Uint16Array(CHUNK);
const ALL = new Uint32Array(BITMAP_WORDS);
const KEPT = new Uint32Array(BITMAP_WORDS);

/** A view of what a source united, as a copy. */
function keptView(view: ChunkView): ChunkView {
  if (view.bits === undefined) return view;
  KEPT.set(view.bits);
  return { ...view, bits: KEPT, bitsAt: 0 };
}

/** Writes all ranks of a chunk to `FOUND`. @returns how many they are */
function copy({ bits, bitsAt, lows, from, to }: ChunkView): number {
  if (bits !== undefined) return extractBoth(bits, bitsAt, bits, bitsAt);
  FOUND.set(lows.subarray(from, to));
  return to - from;
}

/** Writes what two bitmaps have in common to `ALL`. */
function andBitmaps(one: Uint32Array, oneAt: number, other: Uint32Array, otherAt: number): void {
  for (let word = 0; word < BITMAP_WORDS; word++) {
    ALL[word] = (one[oneAt + word] ?? 0) & (other[otherAt + word] ?? 0);
  }
}

/** Writes to `FOUND` those of some sorted numbers that a bitmap has. Without a branch: which numbers stay is hard to foretell. */
function keepBits(lows: Uint16Array, from: number, to: number, bits: Uint32Array, start: number): number {
  let kept = 0;
  for (let at = from; at < to; at++) {
    const low = lows[at] ?? 0;
    FOUND[kept] = low;
    kept += ((bits[start + (low >>> 5)] ?? 0) >>> (low & 31)) & 1;
  }
  return kept;
}

/** The ratio of lengths from which the longer list is searched by galloping. */
const GALLOPING = 16;
const MARKED = new Uint32Array(BITMAP_WORDS);

/** Writes to `FOUND` those of some sorted numbers that a source has too. */
function common(lows: Uint16Array, from: number, to: number, other: ChunkView): number {
  if (other.bits !== undefined) return keepBits(lows, from, to, other.bits, other.bitsAt);
  const { lows: others, from: first, to: end } = other;
  if (end - first <= (to - from) * GALLOPING) {
    // Faster than walking through both: nothing here depends on what was found.
    MARKED.fill(0);
    for (let at = first; at < end; at++) setBit(MARKED, others[at] ?? 0);
    return keepBits(lows, from, to, MARKED, 0);
  }
  let kept = 0;
  let place = first;
  for (let at = from; at < to; at++) {
    const low = lows[at] ?? 0;
    place = gallop(others, place, end, low);
    if (place === end) break;
    if (others[place] === low) FOUND[kept++] = low;
  }
  return kept;
}

/** The first place from `from` on whose number is not less than `value`, by steps that double (Bentley and Yao, 1976). */
function gallop(array: Uint16Array, from: number, to: number, value: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && (array[low + step] ?? 0) < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(array, low, Math.min(to, low + step + 1), value);
}

/** Writes the numbers that two bitmaps have in common to `FOUND`. @returns how many they are */
function extractBoth(one: Uint32Array, oneAt: number, other: Uint32Array, otherAt: number): number {
  let count = 0;
  for (let word = 0; word < BITMAP_WORDS; word++) {
    for (let left = (one[oneAt + word] ?? 0) & (other[otherAt + word] ?? 0); left !== 0; left &= left - 1) {
      FOUND[count++] = word * 32 + 31 - Math.clz32(left & -left);
    }
  }
  return count;
}
