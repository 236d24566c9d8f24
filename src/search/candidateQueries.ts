import { withoutVowels } from "./abbreviations.ts";
import { isFacetMarker } from "./facets.ts";
import { codeWord } from "./index/dictionary.ts";
import {
  type Budget,
  mergeRanges,
  type SimilarWords,
  subtractRanges,
  wordsWithin,
} from "./index/editDistance.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import type { WordRange } from "./index/trie.ts";
import { asTyped, type IntendedWords } from "./matchCost.ts";
import { soundAlikes } from "./spellingVariants.ts";

/** Longer queries are not corrected. */
export const MAX_WORDS = 12;
/** Shorter words are not corrected: they have too many neighbours. */
const MIN_CORRECTABLE_LENGTH = 3;
/** Longer words are neither corrected nor split, because each step takes time in proportion to the length. */
const MAX_CORRECTABLE_LENGTH = 64;
/** The minimum length of a word that may be two edits away. */
const MIN_TWO_EDITS_LENGTH = 8;
/** The minimum length of a word before the last that may be corrected to a prefix. */
const MIN_PREFIX_LENGTH = 5;
/** The minimum length of each part when a word is split. */
const MIN_PART_LENGTH = 2;
/** The minimum length of a word that names write in parts. */
const MIN_COMPOUND_LENGTH = 8;
/** More words that no name has are rarely all abbreviated. */
const MAX_ABBREVIATED = 2;
/** The maximum length of a word that is probably cut off or without vowels. */
const MAX_CUT_LENGTH = 7;
/** Steps to try one split of a word. */
const STEPS_PER_SPLIT = 20;

/** A way to read a query that no name matches. */
export type Stage = EditStage | { readonly abbreviations: "signed" | "any" };

interface EditStage {
  /** Letters to change: two in one word, or one in each of two words. */
  readonly edits: 1 | 2;
  /** Corrects a word before the last to a prefix. The last word is always a prefix. */
  readonly allowPrefixes: boolean;
}

/** A word of the query. */
interface TypedWord {
  readonly text: string;
  readonly position: number;
  readonly isLast: boolean;
  /** As counted in edits: `ij` is one letter. */
  readonly length: number;
  /** The words of the index with this prefix. If there are none, the word must be corrected. */
  readonly ranges: readonly WordRange[];
}

/**
 * Makes the queries that a misspelled query may stand for: with words corrected, joined, split or dropped. Similar
 * words are found by a Levenshtein automaton that walks the trie of the index (see editDistance.ts), or sound the same.
 * A candidate has an entry for each of its words.
 */
export class CandidateQueries {
  readonly #index: NameIndex;
  readonly #budget: Budget;
  readonly #words: readonly TypedWord[];
  readonly #asTyped: readonly IntendedWords[];
  /** Words that no name has, not even as a prefix. */
  readonly #unknown: readonly TypedWord[];
  /** Words that are no complete word of a name come first: they are more likely to be misspelled. */
  readonly #correctable: readonly TypedWord[];
  /** By number of edits and word. */
  readonly #similar = new Map<string, SimilarWords>();

  constructor(index: NameIndex, words: readonly string[], budget: Budget) {
    this.#index = index;
    this.#budget = budget;
    this.#words = words.map((text, position) => ({
      text,
      position,
      isLast: position === words.length - 1,
      length: codeWord(text).length,
      ranges: index.withPrefix(text),
    }));
    this.#asTyped = this.#words.map(({ ranges }) => asTyped(ranges));
    this.#unknown = this.#words.filter(({ ranges }) => ranges.length === 0);
    const correctable = this.#words.filter(isCorrectable);
    const isComplete = ({ text }: TypedWord) => index.wordNumber(text) !== undefined;
    this.#correctable = [
      ...correctable.filter((word) => !isComplete(word)),
      ...correctable.filter(isComplete),
    ];
  }

  /** Yields the candidates of a stage, the likeliest first. */
  of(stage: Stage): Generator<IntendedWords[]> {
    if ("abbreviations" in stage) return this.#abbreviated(stage.abbreviations);
    return stage.edits === 1 ? this.#withOneEdit(stage) : this.#withTwoEdits(stage);
  }

  *#withOneEdit({ allowPrefixes }: EditStage): Generator<IntendedWords[]> {
    if (!allowPrefixes) {
      yield* this.#withoutShortWords();
      yield* this.#withOtherSpacing();
    }
    for (const word of this.#suspects()) yield* this.#correcting([word], 1, allowPrefixes);
  }

  *#withTwoEdits({ allowPrefixes }: EditStage): Generator<IntendedWords[]> {
    for (const word of this.#suspects()) {
      if (word.length >= MIN_TWO_EDITS_LENGTH) yield* this.#correcting([word], 2, allowPrefixes);
    }
    for (const [nth, first] of this.#correctable.entries()) {
      for (const second of this.#correctable.slice(nth + 1)) {
        const pair = [first, second];
        if (this.#unknown.every((word) => pair.includes(word)))
          yield* this.#correcting(pair, 1, allowPrefixes);
      }
    }
  }

  /** Words that may be the only misspelled one. */
  #suspects(): readonly TypedWord[] {
    if (this.#unknown.length > 1) return [];
    return this.#unknown.length === 1 ? this.#unknown : this.#correctable;
  }

  /** Yields the query with these words corrected, if there is a similar word for each. */
  *#correcting(
    words: readonly TypedWord[],
    edits: 1 | 2,
    allowPrefixes: boolean,
  ): Generator<IntendedWords[]> {
    // Without such a word, the stage before has tried the same.
    if (allowPrefixes && !words.some(mayBePrefix)) return;
    const candidate = [...this.#asTyped];
    for (const word of words) {
      const similar = this.#similarWords(word, edits, allowPrefixes);
      if (similar === undefined) return;
      candidate[word.position] = similar;
    }
    yield candidate;
  }

  /** Returns the words of the index that a typed word may stand for; undefined if there are none. */
  #similarWords(word: TypedWord, edits: 1 | 2, allowPrefixes: boolean): IntendedWords | undefined {
    if (!isCorrectable(word)) return undefined;
    const similar = this.#wordsWithin(word, edits);
    const homophones = soundAlikes(word.text).flatMap((other) => this.#index.exactWord(other));
    const complete = similar.exact.flat().map((number) => ({ from: number, to: number + 1 }));
    const exact = mergeRanges([...complete, ...homophones]);
    const isPrefix = word.isLast || (allowPrefixes && mayBePrefix(word));
    const prefixes = isPrefix ? mergeRanges([...similar.prefixes.flat(), ...homophones]) : exact;
    // The query has no exact match, so words that start as typed lead to no name. For a common prefix they are most of
    // them.
    const required = subtractRanges(prefixes, word.ranges);
    return required.length === 0 ? undefined : { exact, prefixes, required };
  }

  #wordsWithin({ text }: TypedWord, edits: 1 | 2): SimilarWords {
    const key = `${edits} ${text}`;
    let similar = this.#similar.get(key);
    if (similar === undefined) {
      similar = wordsWithin(this.#index.trie, codeWord(text), edits, this.#budget, isFacetMarker);
      this.#similar.set(key, similar);
    }
    return similar;
  }

  /**
   * Yields the query with each word, or those that no name has, as names may abbreviate them, then with a short word
   * and the next as the parts of a compound. The caller compares the names.
   */
  *#abbreviated(kind: "signed" | "any"): Generator<IntendedWords[]> {
    if (this.#unknown.length > MAX_ABBREVIATED || (kind === "any" && this.#words.length === 1)) return;
    const suspects = this.#unknown.length > 0 ? [this.#unknown] : this.#correctable.map((word) => [word]);
    for (const words of suspects) {
      const candidate = [...this.#asTyped];
      for (const { text, position } of words)
        candidate[position] = asTyped(this.#abbreviationsOf(text, kind));
      yield candidate;
    }
    if (kind === "signed" || this.#unknown.length > 0) return;
    for (const [at, { text }] of this.#words.slice(0, -1).entries())
      if (text.length <= MAX_CUT_LENGTH) yield this.#asTyped.toSpliced(at + 1, 1);
  }

  /**
   * The words with which a word begins, also with the `s` of a compound, and for few vowels all with its first letter.
   */
  #abbreviationsOf(text: string, kind: "signed" | "any"): readonly WordRange[] {
    if (kind === "signed" && text.length < MIN_COMPOUND_LENGTH) return [];
    const consonants = withoutVowels(text);
    if (kind === "any" && text.length <= MAX_CUT_LENGTH && 3 * consonants.length > 2 * text.length)
      return this.#index.withPrefix(text.slice(0, 1));
    const starts: string[] = [];
    for (let length = MIN_PART_LENGTH; length < Math.min(text.length, MAX_CORRECTABLE_LENGTH); length++) {
      const start = text.slice(0, length);
      if (this.#index.withPrefix(start).length === 0) break;
      starts.push(start);
    }
    this.#budget.left -= STEPS_PER_SPLIT * starts.length;
    const others = kind === "any" ? [consonants] : starts.map((start) => `${start}s`);
    return mergeRanges([...starts, ...others].flatMap((start) => this.#index.exactWord(start)));
  }

  /** Drops a word that is too short to be corrected, or the last two as a misspelled legal form: `B.jV.` is `b jv`. */
  *#withoutShortWords(): Generator<IntendedWords[]> {
    for (const { text, position } of this.#words) {
      if (text.length < MIN_CORRECTABLE_LENGTH && !isNumber(text)) yield this.#asTyped.toSpliced(position, 1);
    }
    const lastTwo = this.#words.slice(-2);
    const end = lastTwo.map(({ text }) => text).join("");
    if (codeWord(end).length <= MIN_CORRECTABLE_LENGTH && !isNumber(end)) yield this.#asTyped.slice(0, -2);
  }

  /** Joins two words, or splits one. */
  *#withOtherSpacing(): Generator<IntendedWords[]> {
    for (const word of this.#words) {
      const next = this.#words[word.position + 1];
      const joined = next === undefined ? [] : this.#index.withPrefix(word.text + next.text);
      if (joined.length > 0) yield this.#asTyped.toSpliced(word.position, 2, asTyped(joined));
      if (word.text.length <= MAX_CORRECTABLE_LENGTH) yield* this.#splitting(word);
    }
  }

  *#splitting({ text, position, isLast }: TypedWord): Generator<IntendedWords[]> {
    for (let cut = MIN_PART_LENGTH; cut <= text.length - MIN_PART_LENGTH; cut++) {
      const first = this.#index.exactWord(text.slice(0, cut));
      this.#budget.left -= STEPS_PER_SPLIT;
      if (first.length === 0) continue;
      const end = text.slice(cut);
      const second = isLast ? this.#index.withPrefix(end) : this.#index.exactWord(end);
      if (second.length > 0) yield this.#asTyped.toSpliced(position, 1, asTyped(first), asTyped(second));
    }
  }
}

/** Whether a word may be misspelled. Numbers are not corrected. */
function isCorrectable({ text, length }: TypedWord): boolean {
  return length >= MIN_CORRECTABLE_LENGTH && length <= MAX_CORRECTABLE_LENGTH && !isNumber(text);
}

function isNumber(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** Whether a word before the last can be corrected to a prefix. */
function mayBePrefix({ isLast, length }: TypedWord): boolean {
  return !isLast && length >= MIN_PREFIX_LENGTH;
}
