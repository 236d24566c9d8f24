import type { ByteTable } from "./byteTable.ts";

/** So many bytes of a text are compared at once. */
const AT_ONCE = 4;
/** Fewer texts than these are put in order by insertion. */
const FEW = 12;

/**
 * The numbers of all texts of a table in the order of their bytes: a radix sort by four bytes at a time. Each pass sorts numbers of 64 bits,
 * bytes above the number of the text. No text may hold a zero byte.
 */
export function sortedTexts(texts: ByteTable): Uint32Array {
  const sorted = new Uint32Array(texts.count);
  for (let number = 0; number < sorted.length; number++) sorted[number] = number;
  const pairs = new BigUint64Array(sorted.length);
  const halves = new Uint32Array(pairs.buffer);
  const waiting: [from: number, to: number, depth: number][] = [[0, sorted.length, 0]];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const [from, to, depth] = part;
    if (to - from <= FEW) {
      insertionSort(texts, sorted, from, to, depth);
      continue;
    }
    for (let at = from; at < to; at++) {
      const number = sorted[at] ?? 0;
      halves[2 * at] = number;
      halves[2 * at + 1] = bytesAt(texts, number, depth);
    }
    pairs.subarray(from, to).sort();
    for (let at = from; at < to; at++) sorted[at] = halves[2 * at] ?? 0;
    for (let first = from; first < to; ) {
      const bytes = halves[2 * first + 1];
      let next = first + 1;
      while (next < to && halves[2 * next + 1] === bytes) next++;
      if (next - first > 1) waiting.push([first, next, depth + AT_ONCE]);
      first = next;
    }
  }
  return sorted;
}

/** Four bytes of a text as a number that is in their order; zeros behind its end. */
function bytesAt({ bytes, starts }: ByteTable, number: number, depth: number): number {
  const end = starts[number + 1] ?? 0;
  let at = (starts[number] ?? 0) + depth;
  let value = 0;
  for (let nth = 0; nth < AT_ONCE; nth++, at++) value = (value << 8) | (at < end ? (bytes[at] ?? 0) : 0);
  return value >>> 0;
}

function insertionSort(texts: ByteTable, sorted: Uint32Array, from: number, to: number, depth: number): void {
  for (let at = from + 1; at < to; at++) {
    const number = sorted[at] ?? 0;
    let place = at;
    while (place > from && isBefore(texts, number, sorted[place - 1] ?? 0, depth)) {
      sorted[place] = sorted[place - 1] ?? 0;
      place--;
    }
    sorted[place] = number;
  }
}

/** Texts that are alike up to `depth`, and not the same. */
function isBefore(texts: ByteTable, a: number, b: number, depth: number): boolean {
  for (let at = depth; ; at += AT_ONCE) {
    const [bytesOfA, bytesOfB] = [bytesAt(texts, a, at), bytesAt(texts, b, at)];
    if (bytesOfA !== bytesOfB) return bytesOfA < bytesOfB;
  }
}
