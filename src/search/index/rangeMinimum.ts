/** Each block of this many numbers has a stored minimum, each block of minima another, and so on. */
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;

/** Returns the minimum of each block of 64 numbers. */
export function blockMinima(values: Uint32Array): Uint32Array {
  const minima = new Uint32Array(Math.ceil(values.length / BLOCK));
  for (let block = 0; block < minima.length; block++) {
    let minimum = 0xffffffff;
    const end = Math.min(values.length, (block + 1) << BLOCK_BITS);
    for (let at = block << BLOCK_BITS; at < end; at++) minimum = Math.min(minimum, values[at] ?? 0);
    minima[block] = minimum;
  }
  return minima;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly position: number;
  readonly value: number;
}

/**
 * Range-minimum queries over distinct numbers, using a hierarchy of block minima. Yields the numbers of a range in
 * ascending order without reading all of it: a heap of ranges, each split at its minimum (Frederickson's selection of
 * the k smallest).
 */
export class RangeMinimum {
  readonly #values: Uint32Array;
  /** The block minima of the numbers, then those of each level below. */
  readonly #minima: readonly Uint32Array[];

  /** @param minima the result of {@link blockMinima} */
  constructor(values: Uint32Array, minima: Uint32Array) {
    const levels = [minima];
    for (let last = minima; last.length > BLOCK; ) {
      last = blockMinima(last);
      levels.push(last);
    }
    this.#values = values;
    this.#minima = levels;
  }

  /** Yields the numbers at positions [from, to) in ascending order. */
  *ascending(from: number, to: number): Generator<number> {
    const heap: Part[] = [];
    this.#push(heap, from, to);
    for (let minimum = heap[0]; minimum !== undefined; minimum = heap[0]) {
      yield minimum.value;
      pop(heap);
      this.#push(heap, minimum.from, minimum.position);
      this.#push(heap, minimum.position + 1, minimum.to);
    }
  }

  #push(heap: Part[], from: number, to: number): void {
    if (from >= to) return;
    const position = this.#positionOfMinimum(from, to);
    const part = { from, to, position, value: this.#values[position] ?? 0 };
    let at = heap.length;
    heap.push(part);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const current = heap[above];
      if (current === undefined || current.value <= part.value) break;
      heap[at] = current;
      at = above;
    }
    heap[at] = part;
  }

  /** Returns the position of the smallest number of a non-empty range. */
  #positionOfMinimum(from: number, to: number): number {
    const values = this.#values;
    // Scan the incomplete blocks at both ends, and use the minima of the blocks between them.
    const [firstBlock, lastBlock] = [(from + BLOCK - 1) >>> BLOCK_BITS, to >>> BLOCK_BITS];
    if (firstBlock >= lastBlock) return positionOfMinimum(values, from, to, Number.POSITIVE_INFINITY);
    const left = positionOfMinimum(values, from, firstBlock << BLOCK_BITS, Number.POSITIVE_INFINITY);
    const minimum = left === -1 ? Number.POSITIVE_INFINITY : (values[left] ?? 0);
    const right = positionOfMinimum(values, lastBlock << BLOCK_BITS, to, minimum);
    const block = this.#blockBelow(firstBlock, lastBlock, right === -1 ? minimum : (values[right] ?? 0));
    if (block !== -1) return this.#positionInBlock(block);
    return right === -1 ? left : right;
  }

  /** Returns the block in [from, to) with the smallest minimum; -1 if none is below `bound`. */
  #blockBelow(from: number, to: number, bound: number): number {
    let [block, minimum, blockLevel] = [-1, bound, 0];
    let [low, high] = [from, to];
    for (let level = 0; low < high; level++) {
      const minima = this.#minima[level];
      if (minima === undefined) break;
      const [firstAbove, lastAbove] = [(low + BLOCK - 1) >>> BLOCK_BITS, high >>> BLOCK_BITS];
      const isWhole = level === this.#minima.length - 1 || firstAbove >= lastAbove;
      const left = positionOfMinimum(minima, low, isWhole ? high : firstAbove << BLOCK_BITS, minimum);
      if (left !== -1) [block, minimum, blockLevel] = [left, minima[left] ?? 0, level];
      if (isWhole) break;
      const right = positionOfMinimum(minima, lastAbove << BLOCK_BITS, high, minimum);
      if (right !== -1) [block, minimum, blockLevel] = [right, minima[right] ?? 0, level];
      [low, high] = [firstAbove, lastAbove];
    }
    for (let level = blockLevel - 1; level >= 0; level--) {
      block <<= BLOCK_BITS;
      while (this.#minima[level]?.[block] !== minimum) block++;
    }
    return block;
  }

  #positionInBlock(block: number): number {
    const minimum = this.#minima[0]?.[block];
    let at = block << BLOCK_BITS;
    while (this.#values[at] !== minimum) at++;
    return at;
  }
}

/** Returns the position of the smallest number in [from, to); -1 if none is below `bound`. */
function positionOfMinimum(values: Uint32Array, from: number, to: number, bound: number): number {
  let [position, minimum] = [-1, bound];
  for (let at = from; at < to; at++) {
    const value = values[at] ?? 0;
    if (value >= minimum) continue;
    minimum = value;
    position = at;
  }
  return position;
}

function pop(heap: Part[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    let current = heap[child];
    const other = heap[child + 1];
    if (current !== undefined && other !== undefined && other.value < current.value)
      [child, current] = [child + 1, other];
    if (current === undefined || current.value >= last.value) break;
    heap[at] = current;
    at = child;
  }
  heap[at] = last;
}
