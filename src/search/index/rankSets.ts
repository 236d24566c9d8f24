/** Compressed sets of ranks (Roaring bitmaps): each chunk of 65,536 ranks is a bitmap or a sorted array. */
import { U32Builder } from "./builders.ts";
import type { SectionList, Sections } from "./sections.ts";

/** The number of ranks in a chunk: the higher 16 bits of a rank are its chunk. */
export const CHUNK = 1 << 16;
/** With more ranks in a chunk, a bitmap is smaller than an array. */
const MAX_IN_ARRAY = 4096;
/** The size of the bitmap of a chunk, in words of 32 bits. */
export const BITMAP_WORDS = CHUNK / 32;

export class RankSetsBuilder {
  readonly #firstChunks = new U32Builder();
  readonly #counts = new U32Builder();
  readonly #chunks = new U32Builder();
  readonly #chunkCounts = new U32Builder();
  readonly #chunkStarts = new U32Builder();
  readonly #arrays: Uint16Array[] = [];
  #arraysLength = 0;
  readonly #bitmaps = new U32Builder();

  /** @param ranks ascending, without duplicates */
  add(ranks: Uint32Array): void {
    this.#firstChunks.push(this.#chunks.length);
    this.#counts.push(ranks.length);
    for (let from = 0; from < ranks.length; ) {
      const chunk = (ranks[from] ?? 0) >>> 16;
      let to = from;
      while (to < ranks.length && (ranks[to] ?? 0) >>> 16 === chunk) to++;
      this.#addChunk(chunk, ranks.subarray(from, to));
      from = to;
    }
  }

  sections(): SectionList {
    this.#firstChunks.push(this.#chunks.length);
    const joined = new Uint16Array(this.#arraysLength);
    let at = 0;
    for (const array of this.#arrays) {
      joined.set(array, at);
      at += array.length;
    }
    return [
      ["sets.firstChunk", this.#firstChunks.view()],
      ["sets.counts", this.#counts.view()],
      ["sets.chunks", Uint16Array.from(this.#chunks.view())],
      ["sets.chunkCounts", Uint16Array.from(this.#chunkCounts.view(), (count) => count - 1)],
      ["sets.chunkStarts", this.#chunkStarts.view()],
      ["sets.arrays", joined],
      ["sets.bitmaps", this.#bitmaps.view()],
    ];
  }

  #addChunk(chunk: number, ranks: Uint32Array): void {
    const count = ranks.length;
    this.#chunks.push(chunk);
    this.#chunkCounts.push(count);
    if (count > MAX_IN_ARRAY) {
      this.#chunkStarts.push(this.#bitmaps.length);
      const bits = new Uint32Array(BITMAP_WORDS);
      for (const rank of ranks) setBit(bits, rank & 0xffff);
      for (const word of bits) this.#bitmaps.push(word);
      return;
    }
    this.#chunkStarts.push(this.#arraysLength);
    this.#arrays.push(Uint16Array.from(ranks));
    this.#arraysLength += count;
  }
}

export function setBit(bits: Uint32Array, low: number): void {
  bits[low >>> 5] = (bits[low >>> 5] ?? 0) | (1 << (low & 31));
}

export function hasBit(bits: Uint32Array, at: number, low: number): boolean {
  return (((bits[at + (low >>> 5)] ?? 0) >>> (low & 31)) & 1) === 1;
}

/**
 * Numbered sets of ranks. Each chunk is stored as a sorted array of 16-bit values, or as a bitmap if that is smaller.
 * See Chambi, Lemire, Kaser and Godin, "Better bitmap performance with Roaring bitmaps", 2016.
 */
export class RankSets {
  /** The position of the first chunk of each set, then the end of the last set. */
  readonly firstChunk: Uint32Array;
  readonly counts: Uint32Array;
  /** The number of the chunk at each position. Those of one set ascend. */
  readonly chunks: Uint16Array;
  /** The number of ranks in each chunk, minus one, so that a full chunk fits into 16 bits. No chunk is empty. */
  readonly #chunkCounts: Uint16Array;
  readonly #chunkStarts: Uint32Array;
  readonly arrays: Uint16Array;
  readonly bitmaps: Uint32Array;

  constructor(sections: Sections) {
    this.firstChunk = sections.u32("sets.firstChunk");
    this.counts = sections.u32("sets.counts");
    this.chunks = sections.u16("sets.chunks");
    this.#chunkCounts = sections.u16("sets.chunkCounts");
    this.#chunkStarts = sections.u32("sets.chunkStarts");
    this.arrays = sections.u16("sets.arrays");
    this.bitmaps = sections.u32("sets.bitmaps");
  }

  /** Returns the position of a chunk; -1 when the set has no rank in it. */
  chunkOf(set: number, chunk: number): number {
    const end = this.firstChunk[set + 1] ?? 0;
    const at = lowerBound(this.chunks, this.firstChunk[set] ?? 0, end, chunk);
    return at < end && this.chunks[at] === chunk ? at : -1;
  }

  /** The number of ranks in the chunk at a position. */
  countOf(at: number): number {
    return (this.#chunkCounts[at] ?? 0) + 1;
  }

  isBitmap(at: number): boolean {
    return this.countOf(at) > MAX_IN_ARRAY;
  }

  has(set: number, rank: number): boolean {
    const at = this.chunkOf(set, rank >>> 16);
    return at !== -1 && this.hasLow(at, rank & 0xffff);
  }

  /** Whether the chunk at a position contains a rank, by its lower 16 bits. */
  hasLow(at: number, low: number): boolean {
    const start = this.startOf(at);
    if (this.isBitmap(at)) return hasBit(this.bitmaps, start, low);
    const count = this.countOf(at);
    const found = lowerBound(this.arrays, start, start + count, low);
    return found < start + count && this.arrays[found] === low;
  }

  /** The offset of the chunk in `arrays` or `bitmaps`. */
  startOf(at: number): number {
    return this.#chunkStarts[at] ?? 0;
  }

  /** Adds the ranks of the chunk at a position to `bits`. */
  addTo(at: number, bits: Uint32Array): void {
    const start = this.startOf(at);
    if (this.isBitmap(at)) {
      for (let word = 0; word < BITMAP_WORDS; word++) {
        bits[word] = (bits[word] ?? 0) | (this.bitmaps[start + word] ?? 0);
      }
      return;
    }
    const count = this.countOf(at);
    const { arrays } = this;
    for (let index = start; index < start + count; index++) {
      setBit(bits, arrays[index] ?? 0);
    }
  }
}

/** Replaces each number by the sum of all numbers up to it: counts at their positions plus one become offsets. */
export function addUp(counts: Uint32Array): void {
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
}

/** Returns the first position in [from, to) whose value is at least `value`; otherwise `to`. */
export function lowerBound(
  array: Uint16Array | Uint32Array,
  from: number,
  to: number,
  value: number,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((array[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a sorted copy without duplicates. */
export function sortedUnique(ranks: Uint32Array): Uint32Array {
  const sorted = ranks.slice().sort();
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    const rank = sorted[at] ?? 0;
    if (count === 0 || sorted[count - 1] !== rank) sorted[count++] = rank;
  }
  return sorted.subarray(0, count);
}
