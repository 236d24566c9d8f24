/** Reads the ranks of one term from the postings (see postings.ts), one chunk of 65,536 ranks at a time. */
import type { Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, lowerBound, setBit } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";

/**
 * The ranks of one term in one chunk: a bitmap, or a sorted array of their lower 16 bits. Valid until the source views the next chunk; a
 * shared view only until any source views a chunk.
 */
export interface ChunkView {
  /** The chunk has no ranks. */
  isEmpty: boolean;
  /** Whether the next view of any source overwrites this one. */
  isShared: boolean;
  /** Undefined if the ranks are in `lows`. */
  bits: Uint32Array | undefined;
  /** The offset of the bitmap in `bits`. */
  bitsAt: number;
  lows: Uint16Array;
  from: number;
  to: number;
}

const NO_LOWS = new Uint16Array(0);

/** A reused buffer for the union of several sets and lists in one chunk. */
const UNION = new Uint32Array(BITMAP_WORDS);

/** The ranks of a term, chunk by chunk in ascending order: from one stored set, or the union of several sets and lists. */
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
  /** The next chunk entry of each set, and the end of its entries. */
  readonly #chunks: number[] = [];
  readonly #chunkEnds: number[] = [];
  /** The next position in each list of the postings, and its end. */
  readonly #nextPositions: number[] = [];
  readonly #ends: number[] = [];

  constructor(postings: Postings, ranges: readonly WordRange[]) {
    this.#postings = postings;
    const { sets, starts, setFrom, setTo } = postings;
    for (const range of ranges) {
      let position = lowerBound(setFrom, 0, setFrom.length, range.from);
      for (let word = range.from; word < range.to; ) {
        while (position < setFrom.length && (setFrom[position] ?? 0) < word) position++;
        let set = -1;
        // The largest set that begins here and lies within the range.
        for (; setFrom[position] === word && (setTo[position] ?? 0) <= range.to; position++) set = position;
        if (set !== -1) {
          this.#chunks.push(sets.firstChunk[set] ?? 0);
          this.#chunkEnds.push(sets.firstChunk[set + 1] ?? 0);
          word = setTo[set] ?? 0;
          continue;
        }
        const [from, to] = [starts[word] ?? 0, starts[word + 1] ?? 0];
        if (from < to) {
          this.#nextPositions.push(from);
          this.#ends.push(to);
        }
        word++;
      }
    }
  }

  /** Returns the ranks of a chunk. Chunks must be viewed in ascending order. */
  viewChunk(chunk: number): ChunkView {
    const { view } = this;
    view.isEmpty = true;
    const chunks = this.#chunks;
    const { chunks: chunkNumbers } = this.#postings.sets;
    let only = -1;
    let parts = 0;
    for (let set = 0; set < chunks.length; set++) {
      let at = chunks[set] ?? 0;
      const end = this.#chunkEnds[set] ?? 0;
      while (at < end && (chunkNumbers[at] ?? 0) < chunk) at++;
      chunks[set] = at;
      if (at === end || chunkNumbers[at] !== chunk) continue;
      only = at;
      parts++;
    }
    const hasLists = this.#nextPositions.length > 0 && this.#skipTo(chunk);
    if (parts === 0 && !hasLists) return view;
    view.isEmpty = false;
    view.isShared = parts !== 1 || hasLists;
    if (parts === 1 && !hasLists) this.#viewSet(only);
    else this.#union(chunk);
    return view;
  }

  #viewSet(at: number): void {
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

  /** Skips the ranks before a chunk in all lists. @returns whether a list has ranks in it */
  #skipTo(chunk: number): boolean {
    const { ranks } = this.#postings;
    const first = chunk * CHUNK;
    let hasSome = false;
    for (let list = 0; list < this.#nextPositions.length; list++) {
      let next = this.#nextPositions[list] ?? 0;
      const end = this.#ends[list] ?? 0;
      while (next < end && (ranks[next] ?? 0) < first) next++;
      this.#nextPositions[list] = next;
      if (next < end && (ranks[next] ?? 0) < first + CHUNK) hasSome = true;
    }
    return hasSome;
  }

  #union(chunk: number): void {
    const { sets, ranks } = this.#postings;
    const bits = UNION;
    bits.fill(0);
    for (const [set, at] of this.#chunks.entries()) {
      if (at < (this.#chunkEnds[set] ?? 0) && sets.chunks[at] === chunk) sets.addTo(at, bits);
    }
    const first = chunk * CHUNK;
    for (let list = 0; list < this.#nextPositions.length; list++) {
      const end = this.#ends[list] ?? 0;
      for (let at = this.#nextPositions[list] ?? 0; at < end; at++) {
        const low = (ranks[at] ?? 0) - first;
        if (low >= CHUNK) break;
        setBit(bits, low);
      }
    }
    this.view.bits = bits;
    this.view.bitsAt = 0;
  }
}
