import type { Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, lowerBound, setBit } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";

/**
 * The ranks of one term in one chunk: as a bitmap, or as a sorted array of their lower halves, without copying where one
 * set has them. It holds until the source is asked for
 * the next chunk, a shared one until any source is asked.
 */
export interface ChunkView {
  /** None of the chunk. */
  isEmpty: boolean;
  /** Whether what any source gives next takes the place of this. */
  isShared: boolean;
  /** Undefined where `lows` has them. */
  bits: Uint32Array | undefined;
  /** Where the bitmap begins in `bits`. */
  bitsAt: number;
  lows: Uint16Array;
  from: number;
  to: number;
}

const NO_LOWS = new Uint16Array(0);

/** The union of several sets and lists within one chunk. Reused: only one union exists at a time. */
const UNITED = new Uint32Array(BITMAP_WORDS);

/** Where the ranks of a term come from: one kept set, or several sets and lists that are united chunk by chunk, in ascending order. */
export class ChunkSource {
  readonly view: ChunkView = {
    isEmpty: true,
    isShared: false,
    bits: undefined,
    bitsAt: 0,
    lows: NO_LOWS,
    from: 0,
    to: 0,
  };
  readonly #postings: Postings;
  /** The next described chunk of each set, and where each ends. */
  readonly #chunks: number[] = [];
  readonly #chunkEnds: number[] = [];
  /** The next place of each list in the postings, and where each ends. */
  readonly #nexts: number[] = [];
  readonly #ends: number[] = [];

  constructor(postings: Postings, ranges: readonly WordRange[]) {
    this.#postings = postings;
    const { sets, starts, setFrom, setTo } = postings;
    for (const range of ranges) {
      let place = lowerBound(setFrom, 0, setFrom.length, range.from);
      for (let word = range.from; word < range.to; ) {
        while (place < setFrom.length && (setFrom[place] ?? 0) < word) place++;
        let set = -1;
        // Of the sets that begin here and hold nothing else, the one of the most words.
        for (; setFrom[place] === word && (setTo[place] ?? 0) <= range.to; place++) set = place;
        if (set !== -1) {
          this.#chunks.push(sets.firstChunk[set] ?? 0);
          this.#chunkEnds.push(sets.firstChunk[set + 1] ?? 0);
          word = setTo[set] ?? 0;
          continue;
        }
        const [from, to] = [starts[word] ?? 0, starts[word + 1] ?? 0];
        if (from < to) {
          this.#nexts.push(from);
          this.#ends.push(to);
        }
        word++;
      }
    }
  }

  /** Takes up a chunk, which is behind those that were taken up before. */
  take(chunk: number): ChunkView {
    const { view } = this;
    view.isEmpty = true;
    const chunks = this.#chunks;
    const { chunks: numbers } = this.#postings.sets;
    let only = -1;
    let parts = 0;
    for (let set = 0; set < chunks.length; set++) {
      let at = chunks[set] ?? 0;
      const end = this.#chunkEnds[set] ?? 0;
      while (at < end && (numbers[at] ?? 0) < chunk) at++;
      chunks[set] = at;
      if (at === end || numbers[at] !== chunk) continue;
      only = at;
      parts++;
    }
    const hasLists = this.#nexts.length > 0 && this.#skipTo(chunk);
    if (parts === 0 && !hasLists) return view;
    view.isEmpty = false;
    view.isShared = parts !== 1 || hasLists;
    if (parts === 1 && !hasLists) this.#viewOf(only);
    else this.#unite(chunk);
    return view;
  }

  #viewOf(at: number): void {
    const { sets } = this.#postings;
    if (sets.isBitmap(at)) {
      this.view.bits = sets.bitmaps;
      this.view.bitsAt = sets.startOf(at);
      return;
    }
    this.view.bits = undefined;
    const start = sets.startOf(at);
    this.view.lows = sets.arrays;
    this.view.from = start;
    this.view.to = start + sets.countOf(at);
  }

  /** Leaves out what lists have before the chunk. @returns whether one has something in it */
  #skipTo(chunk: number): boolean {
    const { ranks } = this.#postings;
    const first = chunk * CHUNK;
    let hasSome = false;
    for (let list = 0; list < this.#nexts.length; list++) {
      let next = this.#nexts[list] ?? 0;
      const end = this.#ends[list] ?? 0;
      while (next < end && (ranks[next] ?? 0) < first) next++;
      this.#nexts[list] = next;
      if (next < end && (ranks[next] ?? 0) < first + CHUNK) hasSome = true;
    }
    return hasSome;
  }

  #unite(chunk: number): void {
    const { sets, ranks } = this.#postings;
    const bits = UNITED;
    bits.fill(0);
    for (const [set, at] of this.#chunks.entries()) {
      if (at < (this.#chunkEnds[set] ?? 0) && sets.chunks[at] === chunk) sets.addTo(at, bits);
    }
    const first = chunk * CHUNK;
    for (let list = 0; list < this.#nexts.length; list++) {
      const end = this.#ends[list] ?? 0;
      for (let at = this.#nexts[list] ?? 0; at < end; at++) {
        const low = (ranks[at] ?? 0) - first;
        if (low >= CHUNK) break;
        setBit(bits, low);
      }
    }
    this.view.bits = bits;
    this.view.bitsAt = 0;
  }
}
