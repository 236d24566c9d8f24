import type { Dictionary } from "./dictionary.ts";
import { WORD_MASK, type WordLists } from "./postings.ts";
import type { SectionList, Sections } from "./sections.ts";
import type { WordRange } from "./trie.ts";

/** Marks an extra word, which finds the name but is not part of its normalised text: `ecommerce` of `E-Commerce`. */
export const EXTRA_WORD = 0x40000000;
/** More ranges are searched by bisection. */
const MAX_LINEAR = 6;

export function nameWordsSections({ starts, words }: WordLists): SectionList {
  return [
    ["names.starts", starts],
    ["names.words", words],
  ];
}

/** Whether a word is in one of some ascending ranges. */
export function isInRanges(word: number, ranges: readonly WordRange[]): boolean {
  if (ranges.length <= MAX_LINEAR) {
    for (const { from, to } of ranges) if (word >= from && word < to) return true;
    return false;
  }
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.to ?? 0) <= word) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.from ?? Number.POSITIVE_INFINITY) <= word;
}

/** The forward index: the words of each name in order, followed by its extra words. */
export class NameWords {
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;
  readonly #dictionary: Dictionary;

  constructor(sections: Sections, dictionary: Dictionary) {
    this.#starts = sections.u32("names.starts");
    this.#words = sections.u32("names.words");
    this.#dictionary = dictionary;
  }

  /** Whether a name has one of these words, extra words included. */
  hasOneOf(rank: number, ranges: readonly WordRange[]): boolean {
    const to = this.#starts[rank + 1] ?? 0;
    for (let at = this.#starts[rank] ?? 0; at < to; at++) {
      if (isInRanges((this.#words[at] ?? 0) & WORD_MASK, ranges)) return true;
    }
    return false;
  }

  /** Returns the words of a name, without extra words. */
  words(rank: number): Uint32Array {
    const words = new Uint32Array((this.#starts[rank + 1] ?? 0) - (this.#starts[rank] ?? 0));
    return words.subarray(0, this.copyWords(rank, words));
  }

  /** Copies the words of a name, without extra words, as far as they fit. @returns their number */
  copyWords(rank: number, words: Uint32Array): number {
    const from = this.#starts[rank] ?? 0;
    const end = Math.min(this.#starts[rank + 1] ?? 0, from + words.length);
    let count = 0;
    for (let at = from; at < end; at++) {
      const word = this.#words[at] ?? 0;
      if (word >= EXTRA_WORD) break;
      words[count++] = word;
    }
    return count;
  }

  /** Returns the number of a name's nth word plus one; 0 after the last word. */
  wordAt(rank: number, nth: number): number {
    const at = (this.#starts[rank] ?? 0) + nth;
    if (at >= (this.#starts[rank + 1] ?? 0)) return 0;
    const word = this.#words[at] ?? 0;
    return word >= EXTRA_WORD ? 0 : word + 1;
  }

  /** Whether the first word of a name is in one of some ranges. */
  isFirstIn(rank: number, ranges: readonly WordRange[]): boolean {
    const word = this.wordAt(rank, 0);
    return word > 0 && isInRanges(word - 1, ranges);
  }

  /** Whether a name has the first `count` of some words, extra words included. */
  hasAll(rank: number, words: readonly number[], count: number): boolean {
    const first = this.#starts[rank] ?? 0;
    const end = this.#starts[rank + 1] ?? 0;
    for (let nth = 0; nth < count; nth++) {
      let at = first;
      while (at < end && ((this.#words[at] ?? 0) & WORD_MASK) !== words[nth]) at++;
      if (at === end) return false;
    }
    return true;
  }

  /**
   * Whether a name has the words in this order, possibly with others between them, with a word of `last` for the last
   * one.
   */
  hasInOrder(rank: number, words: readonly number[], last: readonly WordRange[]): boolean {
    const to = this.#starts[rank + 1] ?? 0;
    let nth = 0;
    for (let at = this.#starts[rank] ?? 0; at < to; at++) {
      const word = this.#words[at] ?? 0;
      if (word >= EXTRA_WORD) return false;
      if (nth === words.length - 1) {
        if (isInRanges(word, last)) return true;
      } else if (word === words[nth]) nth++;
    }
    return false;
  }

  /** Whether the first words of a name match the terms, one by one. */
  hasStartsInOrder(rank: number, terms: readonly { readonly ranges: readonly WordRange[] }[]): boolean {
    const from = this.#starts[rank] ?? 0;
    if (from + terms.length > (this.#starts[rank + 1] ?? 0)) return false;
    for (const [nth, { ranges }] of terms.entries()) {
      if (!isInRanges(this.#words[from + nth] ?? 0, ranges)) return false;
    }
    return true;
  }

  /** Whether the joined words of a name begin with `letters`: UTF-8 without spaces, `ij` as two letters. */
  beginsWith(rank: number, letters: Uint8Array): boolean {
    const { bytes, starts } = this.#dictionary;
    const end = this.#starts[rank + 1] ?? 0;
    let matched = 0;
    for (let at = this.#starts[rank] ?? 0; at < end && matched < letters.length; at++) {
      const word = this.#words[at] ?? 0;
      if (word >= EXTRA_WORD) return false;
      const last = starts[word + 1] ?? 0;
      for (let byteAt = starts[word] ?? 0; byteAt < last && matched < letters.length; byteAt++) {
        const byte = bytes[byteAt] ?? 0;
        if (byte === LETTER_Y) {
          if (letters[matched++] !== LETTER_I) return false;
          if (matched < letters.length && letters[matched++] !== LETTER_J) return false;
        } else if (letters[matched++] !== byte) return false;
      }
    }
    return matched === letters.length;
  }
}

const LETTER_I = 0x69;
const LETTER_J = 0x6a;
const LETTER_Y = 0x79;
