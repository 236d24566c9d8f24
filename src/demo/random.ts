/**
 * Seeded pseudo-random numbers: the same seed gives the same sequence on every machine, because only 32-bit
 * integer arithmetic decides. The generator is xoshiro128** 1.1 of Blackman and Vigna (public domain,
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
    // An all-zero state would stay zero for ever.
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

  /** From 0 up to, but without, 1. */
  fraction(): number {
    return this.bits() / 0x1_0000_0000;
  }

  /** A whole number from 0 up to, but without, `end`; `end` is at most 2^21, so that the product stays exact. */
  below(end: number): number {
    return Math.floor((this.bits() * end) / 0x1_0000_0000);
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.bits() < probability * 0x1_0000_0000;
  }

  /** One of the list, each as likely. The list must not be empty. */
  pick<T>(list: readonly T[]): T {
    return at(list, this.below(list.length));
  }

  /** One of the list, the first far more often than the last: how family names and places are spread. */
  pickSkewed<T>(list: readonly T[]): T {
    const fraction = this.fraction();
    return at(list, Math.floor(fraction * fraction * list.length));
  }
}

/** The element at an index that is known to be inside the list. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`index ${index} is outside a list of ${list.length}`);
  return found;
}

const SLOTS = 10_000;

/**
 * Choices with weights, as a list to `pick` from: each choice fills slots in proportion to its weight, at least
 * one. A look-up costs one random number whatever the number of choices.
 */
export function weighted<T>(choices: readonly (readonly [T, number])[]): readonly T[] {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  return choices.flatMap(([choice, weight]) =>
    new Array<T>(Math.max(1, Math.round((weight / total) * SLOTS))).fill(choice),
  );
}
