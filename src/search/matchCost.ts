import { STOP_WORDS } from "./habits.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { isInRanges } from "./index/nameWords.ts";
import type { WordRange } from "./index/trie.ts";
import { LEGAL_WORDS } from "./legalWords.ts";

/** The words that one word of a query may have been meant as. */
export interface IntendedWords {
  /** Words as a whole, those within a beginning included where it is exact. */
  readonly whole: readonly WordRange[];
  /** And words that begin alike, for the last word of a query. */
  readonly starts: readonly WordRange[];
  /** Of those the ones of which a name must have one: not what begins as it was typed, where it is known that no name has that. */
  readonly sought: readonly WordRange[];
}

/** A word that is meant as it was typed. */
export function asTyped(ranges: readonly WordRange[]): IntendedWords {
  return { whole: ranges, starts: ranges, sought: ranges };
}

/** The cost of a name: how much it differs from what may have been meant. */
export class MatchCost {
  readonly #index: NameIndex;
  readonly #light: ReadonlySet<number>;

  constructor(index: NameIndex) {
    this.#index = index;
    this.#light = lightWords(index);
  }

  /**
   * Words that were not asked for cost most, then another order of words and words that are only begun. Legal forms and stop words cost
   * little.
   */
  of(rank: number, meant: readonly IntendedWords[]): number {
    const words = WORDS_READ;
    const count = this.#index.nameWords.readInto(rank, words);
    let cost = 0;
    let nth = 0;
    for (let at = 0; at < count; at++) {
      const word = words[at] ?? 0;
      cost += this.#costOfWord(word, meant);
      const next = meant[nth];
      if (next !== undefined && isInRanges(word, next.starts)) nth++;
    }
    return nth === meant.length ? cost : cost + 4;
  }

  #costOfWord(word: number, meant: readonly IntendedWords[]): number {
    let isBegun = false;
    for (const { whole, starts } of meant) {
      if (isInRanges(word, whole)) return 0;
      isBegun ||= isInRanges(word, starts);
    }
    if (isBegun) return 4;
    return this.#light.has(word) ? 1 : 8;
  }
}

/** The words of one name, and of a longer one its first. */
const WORDS_READ = new Uint32Array(256);

const lightWordsOf = new WeakMap<NameIndex, ReadonlySet<number>>();

/** The words of an index that say little, by their numbers: legal forms and stop words. */
function lightWords(index: NameIndex): ReadonlySet<number> {
  let words = lightWordsOf.get(index);
  if (words === undefined) {
    words = new Set(
      [...STOP_WORDS, ...LEGAL_WORDS]
        .map((word) => index.wordNumber(word))
        .filter((number) => number !== undefined),
    );
    lightWordsOf.set(index, words);
  }
  return words;
}
