/** So many numbers have one minimum kept; so many minima again one, and so on. */
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;

/** The minima of each 64 numbers. */
export function blockMinima(values: Uint32Array): Uint32Array {
  const minima = new Uint32Array(Math.ceil(values.length / BLOCK));
  for (let block = 0; block < minima.length; block++) {
    let least = 0xffffffff;
    const end = Math.min(values.length, (block + 1) << BLOCK_BITS);
    for (let at = block << BLOCK_BITS; at < end; at++) least = Math.min(least, values[at] ?? 0);
    minima[block] = least;
  }
  return minima;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly place: number;
  readonly value: number;
}

/**
 * Range-minimum queries over numbers of which no two are equal, by minima of blocks, of blocks of blocks, and so on; and by them
 * the smallest of a range in their order, without reading the range (Frederickson's way to the k smallest: a heap of ranges,
 * each of which is split at its minimum when that is taken).
 */
export class RangeMinimum {
  readonly #values: Uint32Array;
  /** Of the numbers the minima of their blocks, of these the minima of theirs, and so on. */
  readonly #minima: readonly Uint32Array[];

  /** @param minima those of {@link blockMinima} */
  constructor(values: Uint32Array, minima: Uint32Array) {
    const levels = [minima];
    for (let last = minima; last.length > BLOCK; ) {
      last = blockMinima(last);
      levels.push(last);
    }
    this.#values = values;
    this.#minima = levels;
  }

  /** The numbers from one place to another, the latter not included, ascending. */
  *ascending(from: number, to: number): Generator<number> {
    const heap: Part[] = [];
    this.#push(heap, from, to);
    for (let least = heap[0]; least !== undefined; least = heap[0]) {
      yield least.value;
      pop(heap);
      this.#push(heap, least.from, least.place);
      this.#push(heap, least.place + 1, least.to);
    }
  }

  #push(heap: Part[], from: number, to: number): void {
    if (from >= to) return;
    const place = this.#placeOfLeast(from, to);
    const part = { from, to, place, value: this.#values[place] ?? 0 };
    let at = heap.length;
    heap.push(part);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const held = heap[above];
      if (held === undefined || held.value <= part.value) break;
      heap[at] = held;
      at = above;
    }
    heap[at] = part;
  }

  /** The place of the smallest number of a range that is not empty. */
  #placeOfLeast(from: number, to: number): number {
    const values = this.#values;
    // What whole blocks do not cover is looked at number by number, at both ends; blocks in between by their minima.
    const [firstBlock, lastBlock] = [(from + BLOCK - 1) >>> BLOCK_BITS, to >>> BLOCK_BITS];
    if (firstBlock >= lastBlock) return placeOfLeast(values, from, to, Number.POSITIVE_INFINITY);
    const left = placeOfLeast(values, from, firstBlock << BLOCK_BITS, Number.POSITIVE_INFINITY);
    const least = left === -1 ? Number.POSITIVE_INFINITY : (values[left] ?? 0);
    const right = placeOfLeast(values, lastBlock << BLOCK_BITS, to, least);
    const block = this.#blockBelow(firstBlock, lastBlock, right === -1 ? least : (values[right] ?? 0));
    if (block !== -1) return this.#placeInBlock(block);
    return right === -1 ? left : right;
  }

  /** Of the blocks from one to another the one whose minimum is the smallest; -1 if none is below `bound`. */
  #blockBelow(from: number, to: number, bound: number): number {
    let [block, least, blockLevel] = [-1, bound, 0];
    let [low, high] = [from, to];
    for (let level = 0; low < high; level++) {
      const minima = this.#minima[level];
      if (minima === undefined) break;
      const [firstAbove, lastAbove] = [(low + BLOCK - 1) >>> BLOCK_BITS, high >>> BLOCK_BITS];
      const isWhole = level === this.#minima.length - 1 || firstAbove >= lastAbove;
      const left = placeOfLeast(minima, low, isWhole ? high : firstAbove << BLOCK_BITS, least);
      if (left !== -1) [block, least, blockLevel] = [left, minima[left] ?? 0, level];
      if (isWhole) break;
      const right = placeOfLeast(minima, lastAbove << BLOCK_BITS, high, least);
      if (right !== -1) [block, least, blockLevel] = [right, minima[right] ?? 0, level];
      [low, high] = [firstAbove, lastAbove];
    }
    for (let level = blockLevel - 1; level >= 0; level--) {
      block <<= BLOCK_BITS;
      while (this.#minima[level]?.[block] !== least) block++;
    }
    return block;
  }

  #placeInBlock(block: number): number {
    const least = this.#minima[0]?.[block];
    let at = block << BLOCK_BITS;
    while (this.#values[at] !== least) at++;
    return at;
  }
}

/** The place of the smallest of some numbers; -1 if none is below `bound`. */
function placeOfLeast(values: Uint32Array, from: number, to: number, bound: number): number {
  let [place, least] = [-1, bound];
  for (let at = from; at < to; at++) {
    const value = values[at] ?? 0;
    if (value >= least) continue;
    least = value;
    place = at;
  }
  return place;
}

function pop(heap: Part[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    let held = heap[child];
    const other = heap[child + 1];
    if (held !== undefined && other !== undefined && other.value < held.value)
      [child, held] = [child + 1, other];
    if (held === undefined || held.value >= last.value) break;
    heap[at] = held;
    at = child;
  }
  heap[at] = last;
}
