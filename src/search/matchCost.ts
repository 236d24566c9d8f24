import type { NameIndex } from "./index/nameIndex.ts";
import { isInRanges } from "./index/nameWords.ts";
import type { WordRange } from "./index/trie.ts";
import { LEGAL_FORM_WORDS } from "./legalFormWords.ts";
import { STOP_WORDS } from "./spellingVariants.ts";

/** The words of the index that one word of a query may stand for. */
export interface IntendedWords {
  /** Complete words. */
  readonly exact: readonly WordRange[];
  /** Complete words and, for the last word of a query, words with a matching prefix. */
  readonly prefixes: readonly WordRange[];
  /** A name must have one of these. Excludes words with the typed prefix when it is known that they lead to no name. */
  readonly required: readonly WordRange[];
}

/** The cost of an extra word in the name; less for a legal form or stop word. */
const EXTRA_WORD = 8;
const EXTRA_LIGHT_WORD = 1;
/** The cost of a word that matches only by a prefix. */
const PREFIX_ONLY = 4;
/** The cost of another order of the words. */
const OTHER_ORDER = 4;

/** A word that is not corrected. */
export function asTyped(ranges: readonly WordRange[]): IntendedWords {
  return { exact: ranges, prefixes: ranges, required: ranges };
}

/** Computes how much a name differs from the intended words. */
export class MatchCost {
  readonly #index: NameIndex;
  readonly #lightWords: ReadonlySet<number>;

  constructor(index: NameIndex) {
    this.#index = index;
    this.#lightWords = lightWords(index);
  }

  /** Returns the cost of a name; 0 if it has exactly these words. */
  of(rank: number, intended: readonly IntendedWords[]): number {
    const words = NAME_WORDS;
    const count = this.#index.nameWords.copyWords(rank, words);
    let cost = 0;
    let nth = 0;
    for (let at = 0; at < count; at++) {
      const word = words[at] ?? 0;
      cost += this.#costOfWord(word, intended);
      const next = intended[nth];
      if (next !== undefined && isInRanges(word, next.prefixes)) nth++;
    }
    return nth === intended.length ? cost : cost + OTHER_ORDER;
  }

  #costOfWord(word: number, intended: readonly IntendedWords[]): number {
    let hasPrefix = false;
    for (const { exact, prefixes } of intended) {
      if (isInRanges(word, exact)) return 0;
      hasPrefix ||= isInRanges(word, prefixes);
    }
    if (hasPrefix) return PREFIX_ONLY;
    return this.#lightWords.has(word) ? EXTRA_LIGHT_WORD : EXTRA_WORD;
  }
}

/** A buffer for the words of one name; further words are ignored. */
const NAME_WORDS = new Uint32Array(256);

const lightWordsOf = new WeakMap<NameIndex, ReadonlySet<number>>();

/** The numbers of legal forms and stop words in an index. */
function lightWords(index: NameIndex): ReadonlySet<number> {
  let words = lightWordsOf.get(index);
  if (words === undefined) {
    words = new Set(
      [...STOP_WORDS, ...LEGAL_FORM_WORDS]
        .map((word) => index.wordNumber(word))
        .filter((number) => number !== undefined),
    );
    lightWordsOf.set(index, words);
  }
  return words;
}
