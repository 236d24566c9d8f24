import type { Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, setBit } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";
import { u24At } from "./u24.ts";

/**
 * The ranks of one term in one chunk: as a bitmap, or as a sorted array of their lower halves, without copying where one
 * set has them. It holds until the source is asked for the next chunk.
 */
export interface ChunkView {
  /** None of the chunk. */
  isEmpty: boolean;
  /** Undefined where `lows` has them. */
  bits: Uint32Array | undefined;
  /** Where the bitmap begins in `bits`. */
  bitsAt: number;
  lows: Uint16Array;
  from: number;
  to: number;
}

const NO_LOWS = new Uint16Array(0);

/** Where the ranks of a term come from: one kept set, or several sets and lists that are united chunk by chunk, in ascending order. */
export class ChunkSource {
  readonly view: ChunkView = { isEmpty: true, bits: undefined, bitsAt: 0, lows: NO_LOWS, from: 0, to: 0 };
  readonly #postings: Postings;
  readonly #sets: number[] = [];
  /** The next place of each list in the postings, and where each ends. */
  readonly #nexts: number[] = [];
  readonly #ends: number[] = [];
  #united: Uint32Array | undefined;

  constructor(postings: Postings, ranges: readonly WordRange[]) {
    this.#postings = postings;
    for (const range of ranges) {
      const set = postings.setOf(range);
      if (set !== -1) {
        this.#sets.push(set);
        continue;
      }
      this.#sets.push(...postings.setsOfWords(range));
      for (let word = range.from; word < range.to; word++) {
        const [from, to] = [postings.starts[word] ?? 0, postings.starts[word + 1] ?? 0];
        if (from === to) continue;
        this.#nexts.push(from);
        this.#ends.push(to);
      }
    }
  }

  /** Takes up a chunk, which is behind those that were taken up before. */
  take(chunk: number): ChunkView {
    const { sets } = this.#postings;
    const { view } = this;
    view.isEmpty = true;
    let only = -1;
    let parts = 0;
    for (const set of this.#sets) {
      const at = sets.chunkOf(set, chunk);
      if (at === -1) continue;
      only = at;
      parts++;
    }
    const hasLists = this.#skipTo(chunk);
    if (parts === 0 && !hasLists) return view;
    view.isEmpty = false;
    if (parts === 1 && !hasLists) this.#viewOf(only);
    else this.#unite(chunk);
    return view;
  }

  #viewOf(at: number): void {
    const { sets } = this.#postings;
    const start = sets.chunkStarts[at] ?? 0;
    if (sets.isBitmap(at)) {
      this.view.bits = sets.bitmaps;
      this.view.bitsAt = start;
      return;
    }
    this.view.bits = undefined;
    this.view.lows = sets.arrays;
    this.view.from = start;
    this.view.to = start + (sets.chunkCounts[at] ?? 0);
  }

  /** Leaves out what lists have before the chunk. @returns whether one has something in it */
  #skipTo(chunk: number): boolean {
    const { ranks } = this.#postings;
    const first = chunk * CHUNK;
    let hasSome = false;
    for (let list = 0; list < this.#nexts.length; list++) {
      let next = this.#nexts[list] ?? 0;
      const end = this.#ends[list] ?? 0;
      while (next < end && u24At(ranks, next) < first) next++;
      this.#nexts[list] = next;
      if (next < end && u24At(ranks, next) < first + CHUNK) hasSome = true;
    }
    return hasSome;
  }

  #unite(chunk: number): void {
    const { sets, ranks } = this.#postings;
    this.#united ??= new Uint32Array(BITMAP_WORDS);
    const bits = this.#united;
    bits.fill(0);
    for (const set of this.#sets) {
      const at = sets.chunkOf(set, chunk);
      if (at !== -1) sets.addTo(at, bits);
    }
    const first = chunk * CHUNK;
    for (let list = 0; list < this.#nexts.length; list++) {
      const end = this.#ends[list] ?? 0;
      for (let at = this.#nexts[list] ?? 0; at < end; at++) {
        const low = u24At(ranks, at) - first;
        if (low >= CHUNK) break;
        setBit(bits, low);
      }
    }
    this.view.bits = bits;
    this.view.bitsAt = 0;
  }
}
