/**
 * Seeded pseudo-random numbers. The same seed gives the same sequence on every machine, because only 32-bit
 * integer arithmetic is used. The generator is xoshiro128** 1.1 of Blackman and Vigna (public domain,
 * https://prng.di.unimi.it/xoshiro128starstar.c), its state filled by splitmix32. Not for secrets.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** @param seed a whole number from 0 to 2^53 - 1 */
  constructor(seed: number) {
    let state = (seed ^ Math.floor(seed / 0x1_0000_0000)) | 0;
    const splitmix = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      return word ^ (word >>> 15);
    };
    this.#a = splitmix();
    this.#b = splitmix();
    this.#c = splitmix();
    // An all-zero state would never change.
    this.#d = splitmix() | 1;
  }

  /** 32 random bits as a number from 0 to 2^32 - 1. */
  bits(): number {
    const mixed = Math.imul(this.#b, 5);
    const result = Math.imul((mixed << 7) | (mixed >>> 25), 9);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result >>> 0;
  }

  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number {
    return this.bits() / 0x1_0000_0000;
  }

  /** A whole number from 0 to `end` - 1; `end` is at most 2^21, so that the product stays exact. */
  below(end: number): number {
    return Math.floor((this.bits() * end) / 0x1_0000_0000);
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.bits() < probability * 0x1_0000_0000;
  }

  /** An element of a list that is not empty, all equally likely. */
  pick<T>(list: readonly T[]): T {
    return at(list, this.below(list.length));
  }

  /** An element of a list, the first far more likely than the last, as family names are distributed. */
  pickSkewed<T>(list: readonly T[]): T {
    const fraction = this.fraction();
    return at(list, Math.floor(fraction * fraction * list.length));
  }
}

/** The element at an index. @throws {RangeError} when the index is outside the list */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`index ${index} is outside a list of ${list.length}`);
  return found;
}

/** The entries of a list written as text, separated by commas, semicolons or line breaks. */
export function splitList(text: string): readonly string[] {
  return text.trim().split(/(?:(?<!\s)\s+)?[,;\n]\s*/);
}

const SLOTS = 10_000;

/**
 * A list to `pick` from, in which each choice fills slots in proportion to its weight, at least one. A pick costs one
 * random number however many choices there are.
 */
export function weighted<T>(choices: readonly (readonly [T, number])[]): readonly T[] {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  return choices.flatMap(([choice, weight]) =>
    new Array<T>(Math.max(1, Math.round((weight / total) * SLOTS))).fill(choice),
  );
}
