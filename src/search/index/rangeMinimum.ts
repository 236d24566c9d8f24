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
  readonly #levels: readonly Uint32Array[];

  /** @param minima those of {@link blockMinima} */
  constructor(values: Uint32Array, minima: Uint32Array) {
    const levels = [values, minima];
    for (let last = minima; last.length > BLOCK; ) {
      last = blockMinima(last);
      levels.push(last);
    }
    this.#levels = levels;
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
    const part = { from, to, place, value: this.#levels[0]?.[place] ?? 0 };
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
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    let bestLevel = 0;
    let [low, high] = [from, to];
    for (let level = 0; low < high; level++) {
      const values = this.#levels[level];
      if (values === undefined) break;
      const isLast = level === this.#levels.length - 1;
      // What blocks do not cover is looked at here, at both ends; blocks in between, one level above.
      const [firstBlock, lastBlock] = [(low + BLOCK - 1) >>> BLOCK_BITS, high >>> BLOCK_BITS];
      const isWhole = isLast || firstBlock >= lastBlock;
      const leftEnd = isWhole ? high : firstBlock << BLOCK_BITS;
      for (let at = low; at < leftEnd; at++) {
        const value = values[at] ?? 0;
        if (value >= least) continue;
        least = value;
        best = at;
        bestLevel = level;
      }
      if (isWhole) break;
      for (let at = lastBlock << BLOCK_BITS; at < high; at++) {
        const value = values[at] ?? 0;
        if (value >= least) continue;
        least = value;
        best = at;
        bestLevel = level;
      }
      [low, high] = [firstBlock, lastBlock];
    }
    for (let level = bestLevel; level > 0; level--) best = this.#placeInBlock(level - 1, best, least);
    return best;
  }

  #placeInBlock(level: number, block: number, value: number): number {
    const values = this.#levels[level];
    let at = block << BLOCK_BITS;
    while (values?.[at] !== value) at++;
    return at;
  }
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
