import { isFacetMarker } from "./facets.ts";
import { HitsByCost } from "./hitsByCost.ts";
import type { Term } from "./index/conjunction.ts";
import { codeWord } from "./index/dictionary.ts";
import {
  mergeRanges,
  type SimilarWords,
  subtractRanges,
  type Work,
  wordsWithin,
} from "./index/editDistance.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { MAX_IN_LIST } from "./index/postings.ts";
import { CHUNK } from "./index/rankSets.ts";
import type { WordRange } from "./index/trie.ts";
import { type IndexQuery, indexQueries, type SearchQuery } from "./indexQuery.ts";
import { asTyped, type IntendedWords, MatchCost } from "./matchCost.ts";
import type { NameQuery } from "./query.ts";
import type { FoundHit } from "./ranking.ts";
import { soundAlikes } from "./spellingVariants.ts";

/** The budget of steps to correct one query: about 1.5 ms. */
const MAX_WORK = 120_000;
/** Steps to read one name. */
const WORK_PER_NAME = 20;
/** Steps per 65,536 names to intersect a term of one word with others. */
const WORK_PER_CHUNK = 40;
/** The same for a term of several words, whose postings must be merged first. */
const WORK_PER_UNION = 160;
/** Longer queries are not corrected. */
const MAX_WORDS = 12;
/** The maximum number of names to read per correction. */
const MAX_NAMES = 250;
/** Shorter words are not corrected. */
const MIN_CORRECTABLE_LENGTH = 3;
/** Longer words are neither corrected nor split, because each step takes time in proportion to the length. */
const MAX_CORRECTABLE_LENGTH = 64;
/** The minimum length of a word that may be two edits away. */
const MIN_TWO_EDITS_LENGTH = 8;
/** The minimum length of a word before the last that may be corrected to a prefix. */
const MIN_PREFIX_LENGTH = 5;
/** The minimum length of each part when a word is split. */
const MIN_PART_LENGTH = 2;

/** The names that a misspelled query may stand for. */
export interface MisspelledHits {
  /** One list per index, best first, each name once. */
  readonly lists: readonly Iterable<FoundHit>[];
  /** False when the budget or {@link MAX_NAMES} ended the search. */
  readonly isComplete: boolean;
}

/**
 * Finds names for a misspelled query: with one edit, or else with two. It corrects, joins and splits words, and tries words
 * that sound the same. If that finds nothing, words before the last may be corrected to a prefix as well. Call it only for queries without an exact match:
 * exact matches are skipped. A word that only hidden names contain counts as known.
 * @param indexes the base first. Deltas share a second budget, so a query costs at most twice the budget.
 */
export function findMisspelled(
  indexes: readonly NameIndex[],
  query: SearchQuery,
  { words }: NameQuery,
): MisspelledHits {
  if (words.length > MAX_WORDS) return NOTHING;
  const deltaWork: Work = { left: MAX_WORK };
  const searches = indexes.flatMap((index, position) => {
    const work = position === 0 ? { left: MAX_WORK } : deltaWork;
    return indexQueries(index, query).map((indexQuery) => new MisspelledSearch(indexQuery, words, work));
  });
  for (const stage of STAGES) {
    const lists = searches.map((search) => search.find(stage));
    if (lists.some(({ count }) => count > 0)) return { lists, isComplete: areComplete(searches) };
  }
  return { lists: [], isComplete: areComplete(searches) };
}

const NOTHING: MisspelledHits = { lists: [], isComplete: true };

function areComplete(searches: readonly MisspelledSearch[]): boolean {
  return searches.every(({ isComplete }) => isComplete);
}

interface Stage {
  readonly edits: 1 | 2;
  /** Whether any corrected word may be a prefix; otherwise only the last one. */
  readonly allowPrefixes: boolean;
}

const STAGES: readonly Stage[] = [
  { edits: 1, allowPrefixes: false },
  { edits: 2, allowPrefixes: false },
  { edits: 1, allowPrefixes: true },
  { edits: 2, allowPrefixes: true },
];

/** Numbers are not corrected, and short words have too many neighbours. */
function isCorrectable(word: string): boolean {
  const { length } = codeWord(word);
  return length >= MIN_CORRECTABLE_LENGTH && length <= MAX_CORRECTABLE_LENGTH && !isNumber(word);
}

function isNumber(word: string): boolean {
  return /^[0-9]+$/.test(word);
}

class MisspelledSearch {
  readonly #index: NameIndex;
  readonly #query: IndexQuery;
  readonly #words: readonly string[];
  readonly #work: Work;
  readonly #similar = new Map<string, SimilarWords>();
  readonly #cost: MatchCost;
  readonly #exact: readonly (readonly WordRange[])[];
  #hasMore = false;

  constructor(query: IndexQuery, words: readonly string[], work: Work) {
    const { index } = query;
    this.#index = index;
    this.#work = work;
    this.#query = query;
    this.#words = words;
    this.#cost = new MatchCost(index);
    this.#exact = words.map((word) => index.withPrefix(word));
  }

  /** False when this search ended early, or a search that shares its budget did. */
  get isComplete(): boolean {
    return !this.#hasMore && this.#work.left > 0;
  }

  /** Finds the names of a stage, best first. */
  find({ edits, allowPrefixes }: Stage): HitsByCost {
    const found = new Map<number, number>();
    const candidates = edits === 1 ? this.#oneEdit(allowPrefixes) : this.#twoEdits(allowPrefixes);
    for (const intended of candidates) {
      if (intended.length === 0 || intended.some(({ required }) => required.length === 0)) continue;
      this.#addNames(intended, found);
      if (this.#work.left <= 0) break;
    }
    return new HitsByCost(this.#index, found, edits === 1 ? "one-edit" : "two-edits");
  }

  /** Positions of the words that are not a prefix of any word of a name. They must be corrected. */
  get #unknown(): number[] {
    return this.#words.flatMap((_, position) => (this.#exact[position]?.length === 0 ? [position] : []));
  }

  *#oneEdit(allowPrefixes: boolean): Generator<IntendedWords[]> {
    const unknown = this.#unknown;
    if (!allowPrefixes) {
      yield* this.#withoutShortWords();
      yield* this.#withOtherSpacing();
    }
    if (unknown.length > 1) return;
    // A word that no name contains is more likely to be misspelled.
    const suspects = unknown.length === 1 ? unknown : this.#positionsBySuspicion();
    for (const position of suspects) {
      if (allowPrefixes && !this.#mayBePrefix(position)) continue;
      const intended = this.#corrected(position, 1, allowPrefixes);
      if (intended !== undefined) yield this.#with([[position, intended]]);
    }
  }

  *#twoEdits(allowPrefixes: boolean): Generator<IntendedWords[]> {
    const unknown = this.#unknown;
    if (unknown.length > 2) return;
    if (unknown.length < 2) {
      for (const position of unknown.length === 1 ? unknown : this.#positionsBySuspicion()) {
        if (codeWord(this.#words[position] ?? "").length < MIN_TWO_EDITS_LENGTH) continue;
        if (allowPrefixes && !this.#mayBePrefix(position)) continue;
        const intended = this.#corrected(position, 2, allowPrefixes);
        if (intended !== undefined) yield this.#with([[position, intended]]);
      }
    }
    const positions = this.#positionsBySuspicion();
    for (const [nth, first] of positions.entries()) {
      for (const second of positions.slice(nth + 1)) {
        if (!unknown.every((position) => position === first || position === second)) continue;
        if (allowPrefixes && !this.#mayBePrefix(first) && !this.#mayBePrefix(second)) continue;
        const correctedFirst = this.#corrected(first, 1, allowPrefixes);
        const correctedSecond = this.#corrected(second, 1, allowPrefixes);
        if (correctedFirst !== undefined && correctedSecond !== undefined) {
          yield this.#with([
            [first, correctedFirst],
            [second, correctedSecond],
          ]);
        }
      }
    }
  }

  #positionsBySuspicion(): number[] {
    const isWord = (position: number) =>
      Number(this.#index.wordNumber(this.#words[position] ?? "") !== undefined);
    return this.#words
      .map((_, position) => position)
      .filter((position) => isCorrectable(this.#words[position] ?? ""))
      .sort((a, b) => isWord(a) - isWord(b));
  }

  /** The query with some words replaced. */
  #with(changes: readonly (readonly [position: number, intended: IntendedWords])[]): IntendedWords[] {
    return this.#exact.map(
      (ranges, position) => changes.find(([changed]) => changed === position)?.[1] ?? asTyped(ranges),
    );
  }

  /** Whether a word before the last can be corrected to a prefix. */
  #mayBePrefix(position: number): boolean {
    return (
      position < this.#words.length - 1 && codeWord(this.#words[position] ?? "").length >= MIN_PREFIX_LENGTH
    );
  }

  #corrected(position: number, edits: 1 | 2, allowPrefixes: boolean): IntendedWords | undefined {
    const word = this.#words[position] ?? "";
    if (!isCorrectable(word)) return undefined;
    const key = `${edits} ${word}`;
    let similar = this.#similar.get(key);
    if (similar === undefined) {
      similar = wordsWithin(this.#index.trie, codeWord(word), edits, this.#work, isFacetMarker);
      this.#similar.set(key, similar);
    }
    const homophones = soundAlikes(word).flatMap((other) => this.#index.exactWord(other));
    const exact = [
      ...similar.exact.flat().map((number) => ({ from: number, to: number + 1 })),
      ...homophones,
    ];
    const isLast = position === this.#words.length - 1;
    const mayBePrefix = isLast || (allowPrefixes && this.#mayBePrefix(position));
    const unmerged = mayBePrefix ? [...similar.prefixes.flat(), ...homophones] : exact;
    const prefixes = mergeRanges(unmerged);
    // The query has no exact match, so the words that start as typed are left out of `required`: for a common prefix they are most of them.
    const required = subtractRanges(prefixes, this.#exact[position] ?? []);
    return required.length === 0 ? undefined : { exact: mergeRanges(exact), prefixes, required };
  }

  /** Drops a word that is too short to be corrected, or the last two as a misspelled legal form: `B.jV.` is `b jv`. */
  *#withoutShortWords(): Generator<IntendedWords[]> {
    const all = this.#with([]);
    for (const [position, word] of this.#words.entries()) {
      if (word.length < MIN_CORRECTABLE_LENGTH && !isNumber(word)) yield all.toSpliced(position, 1);
    }
    const end = this.#words.slice(-2).join("");
    if (codeWord(end).length <= MIN_CORRECTABLE_LENGTH && !isNumber(end)) yield all.slice(0, -2);
  }

  /** Joins two words, or splits one. */
  *#withOtherSpacing(): Generator<IntendedWords[]> {
    const all = this.#with([]);
    for (const [position, word] of this.#words.entries()) {
      const next = this.#words[position + 1];
      if (next !== undefined) {
        const joined = this.#index.withPrefix(word + next);
        if (joined.length > 0) yield all.toSpliced(position, 2, asTyped(joined));
      }
      if (word.length > MAX_CORRECTABLE_LENGTH) continue;
      const isLast = position === this.#words.length - 1;
      for (let cut = MIN_PART_LENGTH; cut <= word.length - MIN_PART_LENGTH; cut++) {
        const first = this.#index.exactWord(word.slice(0, cut));
        this.#work.left -= WORK_PER_NAME;
        if (first.length === 0) continue;
        const end = word.slice(cut);
        const second = isLast ? this.#index.withPrefix(end) : this.#index.exactWord(end);
        if (second.length > 0) yield all.toSpliced(position, 1, asTyped(first), asTyped(second));
      }
    }
  }

  /** Adds the names that have a required word for each intended word, each with its lowest cost. */
  #addNames(intended: readonly IntendedWords[], found: Map<number, number>): void {
    const terms: Term[] = intended.map(({ required }) => this.#index.wordTerm(required));
    const ranks = this.#query.matching(terms);
    this.#work.left -= this.#estimatedWork(terms);
    if (this.#work.left <= 0) return;
    for (let read = 0; read < MAX_NAMES && this.#work.left > 0; read++) {
      const rank = ranks.next();
      if (rank === -1) return;
      this.#work.left -= WORK_PER_NAME;
      const cost = this.#cost.of(rank, intended);
      const before = found.get(rank);
      if (before === undefined || cost < before) found.set(rank, cost);
    }
    if (this.#work.left > 0 && ranks.next() !== -1) this.#hasMore = true;
  }

  /** Estimates the steps to find the names that match all terms. */
  #estimatedWork(terms: readonly Term[]): number {
    const rarest = Math.min(...terms.map(({ maxNames }) => maxNames));
    if (rarest <= MAX_IN_LIST) return rarest * 4;
    const chunks = Math.ceil(this.#index.names / CHUNK);
    return terms.reduce(
      (work, { ranges }) => work + chunks * (ranges.length > 1 ? WORK_PER_UNION : WORK_PER_CHUNK),
      0,
    );
  }
}
