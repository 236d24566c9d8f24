import type { Dictionary } from "./dictionary.ts";
import { WORD_MASK, type WordLists } from "./postings.ts";
import type { SectionList, Sections } from "./sections.ts";
import type { WordRange } from "./trie.ts";

/** Marks a word by which a name is found, but which is no word of the name as it is read: `ecommerce` of `E-Commerce`. */
export const EXTRA_WORD = 0x40000000;
/** From so many ranges on, halving them is faster than trying one after the other. */
const MAX_TRIED = 6;

export function nameWordsSections({ starts, words }: WordLists): SectionList {
  return [
    ["names.starts", starts],
    ["names.words", words],
  ];
}

/** Whether a word is in one of some ranges, which ascend. */
export function isInRanges(word: number, ranges: readonly WordRange[]): boolean {
  if (ranges.length <= MAX_TRIED) {
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

/** Lists of ranges as numbers: of each how many it has, then from where to where each goes. */
export function flatBounds(lists: readonly (readonly WordRange[])[]): Uint32Array {
  return Uint32Array.from(
    lists.flatMap((ranges) => [ranges.length, ...ranges.flatMap(({ from, to }) => [from, to])]),
  );
}

/** The forward index: from a name, by its rank, to its words in their order, and behind them those beside. */
export class NameWords {
  readonly #starts: Uint32Array;
  readonly #words: Uint32Array;
  readonly #dictionary: Dictionary;

  constructor(sections: Sections, dictionary: Dictionary) {
    this.#starts = sections.u32("names.starts");
    this.#words = sections.u32("names.words");
    this.#dictionary = dictionary;
  }

  /** Whether a name has a word of these, read or beside. */
  hasOneOf(rank: number, ranges: readonly WordRange[]): boolean {
    const to = this.#starts[rank + 1] ?? 0;
    for (let at = this.#starts[rank] ?? 0; at < to; at++) {
      if (isInRanges((this.#words[at] ?? 0) & WORD_MASK, ranges)) return true;
    }
    return false;
  }

  /**
   * Whether a name has a word of each of some lists of ranges, which {@link flatBounds} wrote one behind the other: in one pass over
   * its words, as this is asked of thousands of names for one query.
   */
  hasEach(rank: number, bounds: Uint32Array): boolean {
    const words = this.#words;
    const first = this.#starts[rank] ?? 0;
    const end = this.#starts[rank + 1] ?? 0;
    for (let list = 0; list < bounds.length; ) {
      const next = list + 1 + 2 * (bounds[list] ?? 0);
      let has = false;
      for (let at = first; at < end && !has; at++) {
        const word = (words[at] ?? 0) & WORD_MASK;
        for (let range = list + 1; range < next; range += 2) {
          if (word >= (bounds[range] ?? 0) && word < (bounds[range + 1] ?? 0)) {
            has = true;
            break;
          }
        }
      }
      if (!has) return false;
      list = next;
    }
    return true;
  }

  /** The words of a name as it is read. */
  read(rank: number): Uint32Array {
    const words = new Uint32Array((this.#starts[rank + 1] ?? 0) - (this.#starts[rank] ?? 0));
    return words.subarray(0, this.readInto(rank, words));
  }

  /** Writes the words of a name, as it is read, into `words`, as far as there is room. @returns how many they are */
  readInto(rank: number, words: Uint32Array): number {
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

  /** One more than the number of a name's word, as it is read; 0 behind the last. */
  wordAt(rank: number, nth: number): number {
    const at = (this.#starts[rank] ?? 0) + nth;
    if (at >= (this.#starts[rank + 1] ?? 0)) return 0;
    const word = this.#words[at] ?? 0;
    return word >= EXTRA_WORD ? 0 : word + 1;
  }

  /** Whether the first word of a name, as it is read, is in one of some ranges. */
  isFirstIn(rank: number, ranges: readonly WordRange[]): boolean {
    const word = this.wordAt(rank, 0);
    return word > 0 && isInRanges(word - 1, ranges);
  }

  /** Whether a name has the first `count` of some words, read or beside. */
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

  /** Whether a name has the words in this order, others between them or not, and then one of `last` for the last of them. */
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

  /** Whether the first words of a name satisfy the terms one after the other. */
  hasStartsInOrder(rank: number, terms: readonly { readonly ranges: readonly WordRange[] }[]): boolean {
    const from = this.#starts[rank] ?? 0;
    if (from + terms.length > (this.#starts[rank + 1] ?? 0)) return false;
    for (const [nth, { ranges }] of terms.entries()) {
      if (!isInRanges(this.#words[from + nth] ?? 0, ranges)) return false;
    }
    return true;
  }

  /**
   * Whether the words of a name, written as one, begin with `letters` (UTF-8, without spaces, `ij` as two letters).
   */
  beginsWith(rank: number, letters: Uint8Array): boolean {
    const { bytes, starts } = this.#dictionary;
    const end = this.#starts[rank + 1] ?? 0;
    let matched = 0;
    for (let at = this.#starts[rank] ?? 0; at < end && matched < letters.length; at++) {
      const word = this.#words[at] ?? 0;
      if (word >= EXTRA_WORD) return false;
      const last = starts[word + 1] ?? 0;
      for (let place = starts[word] ?? 0; place < last && matched < letters.length; place++) {
        const byte = bytes[place] ?? 0;
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
