import type { GrowingU32 } from "./growing.ts";

/** What the upper bytes of 16 bits can be. */
const UPPERS = 256;

const upperWords = (count: number) => (UPPERS + count + 31) >>> 5;

/** How many words of 32 bits {@link pack} writes for so many numbers. */
export const packedWords = (count: number) => upperWords(count) + ((count + 3) >>> 2);

/**
 * Appends numbers of 16 bits, ascending, each once, as a quasi-succinct sequence (Elias, "Efficient storage and retrieval by content and address of static files", 1974;
 * Fano, 1971; Vigna, "Quasi-succinct indices", 2013): first the upper bytes in unary, for each of the 256 as many ones as numbers have it and a zero, then the lower bytes.
 */
export function pack(numbers: Uint16Array, into: GrowingU32): void {
  const count = numbers.length;
  const words = new Uint32Array(packedWords(count));
  const lowers = new Uint8Array(words.buffer, upperWords(count) * 4);
  for (let nth = 0; nth < count; nth++) {
    const number = numbers[nth] ?? 0;
    const one = (number >>> 8) + nth;
    words[one >>> 5] = (words[one >>> 5] ?? 0) | (1 << (one & 31));
    lowers[nth] = number;
  }
  for (const word of words) into.push(word);
}

/**
 * Numbers that were packed, by the word in which they begin and how many they are. How they are unpacked is written out for each use: handing every number to a function would take longer
 * than that.
 */
export class PackedNumbers {
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;

  /** @param bytes the same memory as `words` */
  constructor(words: Uint32Array, bytes: Uint8Array) {
    this.#words = words;
    this.#bytes = bytes;
  }

  /** Writes `count` numbers to `into`. */
  unpack(start: number, count: number, into: Uint16Array): void {
    const words = this.#words;
    const bytes = this.#bytes;
    const lowers = 4 * (start + upperWords(count));
    let nth = 0;
    for (let word = 0; nth < count; word++) {
      for (let left = words[start + word] ?? 0; left !== 0; left &= left - 1) {
        const upper = 32 * word + 31 - Math.clz32(left & -left) - nth;
        into[nth] = (upper << 8) | (bytes[lowers + nth] ?? 0);
        nth++;
      }
    }
  }

  /** Sets a bit for each number in `bits`, beside those that are set. */
  addTo(bits: Uint32Array, start: number, count: number): void {
    const words = this.#words;
    const bytes = this.#bytes;
    const lowers = 4 * (start + upperWords(count));
    let nth = 0;
    for (let word = 0; nth < count; word++) {
      for (let left = words[start + word] ?? 0; left !== 0; left &= left - 1) {
        const upper = 32 * word + 31 - Math.clz32(left & -left) - nth;
        const lower = bytes[lowers + nth] ?? 0;
        const at = (upper << 3) | (lower >>> 5);
        bits[at] = (bits[at] ?? 0) | (1 << (lower & 31));
        nth++;
      }
    }
  }

  /** Writes `mark` to `marks` at the place of each number. */
  markIn(marks: Uint8Array, mark: number, start: number, count: number): void {
    const words = this.#words;
    const bytes = this.#bytes;
    const lowers = 4 * (start + upperWords(count));
    let nth = 0;
    for (let word = 0; nth < count; word++) {
      for (let left = words[start + word] ?? 0; left !== 0; left &= left - 1) {
        const upper = 32 * word + 31 - Math.clz32(left & -left) - nth;
        marks[(upper << 8) | (bytes[lowers + nth] ?? 0)] = mark;
        nth++;
      }
    }
  }

  /** Writes those of some numbers, which ascend, to `into` that are among the packed ones. @returns how many they are */
  keep(
    numbers: Uint16Array,
    from: number,
    to: number,
    start: number,
    count: number,
    into: Uint16Array,
  ): number {
    const words = this.#words;
    const lowers = 4 * (start + upperWords(count));
    let kept = 0;
    // The ones of an upper byte stand behind as many zeros: words that have fewer are passed over.
    let word = start;
    let passed = 0;
    for (let at = from; at < to; at++) {
      const number = numbers[at] ?? 0;
      const upper = number >>> 8;
      let zeros = ~(words[word] ?? 0);
      for (let held = ones(zeros); passed + held < upper; held = ones(zeros)) {
        passed += held;
        word++;
        zeros = ~(words[word] ?? 0);
      }
      let place = 32 * (word - start);
      if (upper > passed) {
        for (let skipped = upper - passed; skipped > 1; skipped--) zeros &= zeros - 1;
        place += 32 - Math.clz32(zeros & -zeros);
      }
      const lower = number & 0xff;
      for (; (((words[start + (place >>> 5)] ?? 0) >>> (place & 31)) & 1) === 1; place++) {
        const held = this.#bytes[lowers + place - upper] ?? 0;
        if (held < lower) continue;
        if (held === lower) into[kept++] = number;
        break;
      }
    }
    return kept;
  }

  /** Whether a number is among `count` packed ones. */
  has(start: number, count: number, number: number): boolean {
    ASKED[0] = number;
    return this.keep(ASKED, 0, 1, start, count, FOUND) === 1;
  }
}

const ASKED = new Uint16Array(1);
const FOUND = new Uint16Array(1);

/** How many bits of a word are set (Warren, "Hacker's Delight", 5-1). */
function ones(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
