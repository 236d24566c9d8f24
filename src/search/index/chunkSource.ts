/** Reads the ranks of one term from the postings (see postings.ts), one chunk of 65,536 ranks at a time. */
import type { Postings } from "./postings.ts";
import { BITMAP_WORDS, CHUNK, setBit } from "./rankSets.ts";
import type { WordRange } from "./trie.ts";

/**
 * The ranks of one term in one chunk: a bitmap, or a sorted array of their lower 16 bits. Valid until the source views
 * the next chunk; a shared view only until any source views a chunk.
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
  /** The array is at [`from`, `to`) of `lows`. */
  lows: Uint16Array;
  from: number;
  to: number;
}

const NO_LOWS = new Uint16Array(0);

/** The union of several sets and lists in one chunk. All sources use this buffer in turn. */
const UNION_BITS = new Uint32Array(BITMAP_WORDS);

/**
 * The ranks of a term, chunk by chunk in ascending order: from one stored set, or the union of several sets and lists.
 */
export class ChunkSource {
  readonly #view: ChunkView = {
    isEmpty: true,
    isShared: false,
    bits: undefined,
    bitsAt: 0,
    lows: NO_LOWS,
    from: 0,
    to: 0,
  };
  readonly #postings: Postings;
  /** The position of the next chunk of each stored set (see RankSets), and the end of its chunks. */
  readonly #nextInSet: number[];
  readonly #setEnds: number[];
  /** The next position in each list of the postings, and its end. */
  readonly #nextInList: number[];
  readonly #listEnds: number[];

  constructor(postings: Postings, ranges: readonly WordRange[]) {
    this.#postings = postings;
    const { firstChunk } = postings.sets;
    const { sets, lists } = postings.partsOf(ranges);
    this.#nextInSet = sets.map((set) => firstChunk[set] ?? 0);
    this.#setEnds = sets.map((set) => firstChunk[set + 1] ?? 0);
    this.#nextInList = lists.map(({ from }) => from);
    this.#listEnds = lists.map(({ to }) => to);
  }

  /** Returns the ranks of a chunk. Chunks must be viewed in ascending order. */
  viewChunk(chunk: number): ChunkView {
    const view = this.#view;
    view.isEmpty = true;
    const nextInSet = this.#nextInSet;
    const { chunks: chunkNumbers } = this.#postings.sets;
    let found = -1;
    let setsInChunk = 0;
    for (let set = 0; set < nextInSet.length; set++) {
      let at = nextInSet[set] ?? 0;
      const end = this.#setEnds[set] ?? 0;
      while (at < end && (chunkNumbers[at] ?? 0) < chunk) at++;
      nextInSet[set] = at;
      if (at === end || chunkNumbers[at] !== chunk) continue;
      found = at;
      setsInChunk++;
    }
    const hasLists = this.#nextInList.length > 0 && this.#skipTo(chunk);
    if (setsInChunk === 0 && !hasLists) return view;
    view.isEmpty = false;
    view.isShared = setsInChunk !== 1 || hasLists;
    if (view.isShared) this.#viewUnion(chunk);
    else this.#viewSet(found);
    return view;
  }

  /** Views the chunk of a stored set, without a copy. */
  #viewSet(at: number): void {
    const { sets } = this.#postings;
    const view = this.#view;
    const start = sets.startOf(at);
    if (sets.isBitmap(at)) {
      view.bits = sets.bitmaps;
      view.bitsAt = start;
      return;
    }
    view.bits = undefined;
    view.lows = sets.arrays;
    view.from = start;
    view.to = start + sets.countOf(at);
  }

  /** Skips the ranks before a chunk in all lists. @returns whether a list has ranks in it */
  #skipTo(chunk: number): boolean {
    const { ranks } = this.#postings;
    const first = chunk * CHUNK;
    let hasSome = false;
    for (let list = 0; list < this.#nextInList.length; list++) {
      let next = this.#nextInList[list] ?? 0;
      const end = this.#listEnds[list] ?? 0;
      while (next < end && (ranks[next] ?? 0) < first) next++;
      this.#nextInList[list] = next;
      if (next < end && (ranks[next] ?? 0) < first + CHUNK) hasSome = true;
    }
    return hasSome;
  }

  #viewUnion(chunk: number): void {
    const { sets, ranks } = this.#postings;
    UNION_BITS.fill(0);
    for (const [set, at] of this.#nextInSet.entries()) {
      if (at < (this.#setEnds[set] ?? 0) && sets.chunks[at] === chunk) sets.addTo(at, UNION_BITS);
    }
    const first = chunk * CHUNK;
    for (let list = 0; list < this.#nextInList.length; list++) {
      const end = this.#listEnds[list] ?? 0;
      for (let at = this.#nextInList[list] ?? 0; at < end; at++) {
        const low = (ranks[at] ?? 0) - first;
        if (low >= CHUNK) break;
        setBit(UNION_BITS, low);
      }
    }
    this.#view.bits = UNION_BITS;
    this.#view.bitsAt = 0;
  }
}
