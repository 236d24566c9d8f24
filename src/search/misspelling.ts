import { isSignByte } from "./facets.ts";
import { FoundNames } from "./foundNames.ts";
import { soundAlikes } from "./habits.ts";
import type { Term } from "./index/conjunction.ts";
import { codeWord } from "./index/dictionary.ts";
import { type SimilarWords, unitedRanges, type Work, without, wordsWithin } from "./index/editDistance.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { MAX_IN_LIST } from "./index/postings.ts";
import { CHUNK } from "./index/rankSets.ts";
import type { WordRange } from "./index/trie.ts";
import { type IndexQuery, indexQueries, type Query } from "./indexQuery.ts";
import { asTyped, type IntendedWords, MatchCost } from "./matchCost.ts";
import type { NameQuery } from "./query.ts";
import type { FoundHit } from "./ranking.ts";

/** Steps of work to correct one query: about 1.5 ms. */
const MAX_WORK = 120_000;
/** Steps to read one name. */
const WORK_A_NAME = 20;
/** Steps to intersect one word with others among 65,536 names; several words that are meant by one must be united first. */
const WORK_A_CHUNK = 40;
const WORK_TO_UNITE = 160;
/** More words are not a slip away from any name, or too common to tell. */
const MAX_WORDS = 12;
/** Names that are read for one reading, and sorted by how well they fit. */
const MAX_READ = 250;
/** Shorter words are not corrected. */
const MIN_CORRECTABLE_LENGTH = 3;
/** Longer words are neither corrected nor taken apart: each step would cost as many letters. */
const MAX_CORRECTABLE_LENGTH = 64;
/** From so many letters on a word may be two edits away. */
const LONG_WORD = 8;
/** From so many letters on another word than the last may be corrected to a beginning. */
const MIN_BEGUN_LENGTH = 5;
/** A part of a word that was written apart, or of two that were written as one, has so many letters at least. */
const MIN_PART_LENGTH = 2;

/** The names that a misspelled query may mean. */
export interface IntendedNames {
  /** For each index the best first, one for each name; some names more than {@link MAX_READ} at most. */
  readonly lists: readonly Iterable<FoundHit>[];
  /** False when the budget of work or {@link MAX_READ} ended the search. */
  readonly areAll: boolean;
}

/**
 * The names that are meant by a misspelled query: by one edit, else by two. Words are corrected; two are read as one, or one as two; sounds
 * are written otherwise. Where that finds nothing, other words than the last may be begun, too. Only for queries of which the exact ways find nothing,
 * and only as far as a budget of work reaches.
 * A word that only hidden names of an index have counts as known to it.
 * @param indexes the base first; deltas share a second budget, so that a query costs at most twice as much
 */
export function misspelled(indexes: readonly NameIndex[], query: Query, { words }: NameQuery): IntendedNames {
  if (words.length > MAX_WORDS) return NOTHING;
  const ofSegments: Work = { left: MAX_WORK };
  const searches = indexes.flatMap((index, place) => {
    const work = place === 0 ? { left: MAX_WORK } : ofSegments;
    return indexQueries(index, query).map((one) => new MisspelledSearch(one, words, work));
  });
  for (const stage of STAGES) {
    const lists = searches.map((search) => search.found(stage));
    if (lists.some(({ count }) => count > 0)) return { lists, areAll: haveFoundAll(searches) };
  }
  return { lists: [], areAll: haveFoundAll(searches) };
}

const NOTHING: IntendedNames = { lists: [], areAll: true };

function haveFoundAll(searches: readonly MisspelledSearch[]): boolean {
  return searches.every(({ hasFoundAll }) => hasFoundAll);
}

interface Stage {
  readonly edits: 1 | 2;
  /** Whether every word that is corrected may be begun, where else only the last may. */
  readonly areBegun: boolean;
}

const STAGES: readonly Stage[] = [
  { edits: 1, areBegun: false },
  { edits: 2, areBegun: false },
  { edits: 1, areBegun: true },
  { edits: 2, areBegun: true },
];
/** Numbers are typed as they are, and of few letters too much is one edit away. */
function isCorrected(word: string): boolean {
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
  readonly #alike = new Map<string, SimilarWords>();
  readonly #cost: MatchCost;
  readonly #exact: readonly (readonly WordRange[])[];
  #haveMore = false;

  constructor(query: IndexQuery, words: readonly string[], work: Work) {
    const { index } = query;
    this.#index = index;
    this.#work = work;
    this.#query = query;
    this.#words = words;
    this.#cost = new MatchCost(index);
    this.#exact = words.map((word) => index.beginning(word));
  }

  /** False when the search ended early, also because another one used up the work. */
  get hasFoundAll(): boolean {
    return !this.#haveMore && this.#work.left > 0;
  }

  /** The names that are so many edits away, best first. */
  found({ edits, areBegun }: Stage): FoundNames {
    const found = new Map<number, number>();
    const readings = edits === 1 ? this.#oneEdit(areBegun) : this.#twoEdits(areBegun);
    for (const meant of readings) {
      if (meant.length === 0 || meant.some(({ sought }) => sought.length === 0)) continue;
      this.#addNames(meant, found);
      if (this.#work.left <= 0) break;
    }
    return new FoundNames(this.#index, found, edits === 1 ? "one-edit" : "two-edits");
  }

  /** Words that no name has, nor one that begins so: they must be corrected. */
  get #unknown(): number[] {
    return this.#words.flatMap((_, place) => (this.#exact[place]?.length === 0 ? [place] : []));
  }

  *#oneEdit(areBegun: boolean): Generator<IntendedWords[]> {
    const unknown = this.#unknown;
    if (!areBegun) {
      yield* this.#withoutShortWords();
      yield* this.#spacedOtherwise();
    }
    if (unknown.length > 1) return;
    // A word that no name has as a whole is likelier wrong than one that some have.
    const suspects = unknown.length === 1 ? unknown : this.#placesBySuspicion();
    for (const place of suspects) {
      if (areBegun && !this.#mayBeBegun(place)) continue;
      const meant = this.#corrected(place, 1, areBegun);
      if (meant !== undefined) yield this.#with([[place, meant]]);
    }
  }

  *#twoEdits(areBegun: boolean): Generator<IntendedWords[]> {
    const unknown = this.#unknown;
    if (unknown.length > 2) return;
    if (unknown.length < 2) {
      for (const place of unknown.length === 1 ? unknown : this.#placesBySuspicion()) {
        if (codeWord(this.#words[place] ?? "").length < LONG_WORD) continue;
        if (areBegun && !this.#mayBeBegun(place)) continue;
        const meant = this.#corrected(place, 2, areBegun);
        if (meant !== undefined) yield this.#with([[place, meant]]);
      }
    }
    const places = this.#placesBySuspicion();
    for (const [nth, first] of places.entries()) {
      for (const second of places.slice(nth + 1)) {
        if (!unknown.every((place) => place === first || place === second)) continue;
        if (areBegun && !this.#mayBeBegun(first) && !this.#mayBeBegun(second)) continue;
        const [one, other] = [this.#corrected(first, 1, areBegun), this.#corrected(second, 1, areBegun)];
        if (one !== undefined && other !== undefined) {
          yield this.#with([
            [first, one],
            [second, other],
          ]);
        }
      }
    }
  }

  #placesBySuspicion(): number[] {
    const isWord = (place: number) => Number(this.#index.wordNumber(this.#words[place] ?? "") !== undefined);
    return this.#words
      .map((_, place) => place)
      .filter((place) => isCorrected(this.#words[place] ?? ""))
      .sort((a, b) => isWord(a) - isWord(b));
  }

  /** The query with some words meant otherwise, the others as they stand. */
  #with(changes: readonly (readonly [place: number, meant: IntendedWords])[]): IntendedWords[] {
    return this.#exact.map(
      (ranges, place) => changes.find(([changed]) => changed === place)?.[1] ?? asTyped(ranges),
    );
  }

  /** Whether a word can be corrected to a beginning, where it is the last one anyway. */
  #mayBeBegun(place: number): boolean {
    return place < this.#words.length - 1 && codeWord(this.#words[place] ?? "").length >= MIN_BEGUN_LENGTH;
  }

  #corrected(place: number, edits: 1 | 2, areBegun: boolean): IntendedWords | undefined {
    const word = this.#words[place] ?? "";
    if (!isCorrected(word)) return undefined;
    const key = `${edits} ${word}`;
    let alike = this.#alike.get(key);
    if (alike === undefined) {
      alike = wordsWithin(this.#index.trie, codeWord(word), edits, this.#work, isSignByte);
      this.#alike.set(key, alike);
    }
    const spoken = soundAlikes(word).flatMap((other) => this.#index.whole(other));
    const whole = [...alike.whole.flat().map((number) => ({ from: number, to: number + 1 })), ...spoken];
    const isLast = place === this.#words.length - 1;
    const isBegun = isLast || (areBegun && this.#mayBeBegun(place));
    const starts = isBegun ? [...alike.starts.flat(), ...spoken] : whole;
    const united = unitedRanges(starts);
    // The exact ways found nothing: what begins as it was typed can be left out, which is most of what common words come to.
    const sought = without(united, this.#exact[place] ?? []);
    return sought.length === 0 ? undefined : { whole: unitedRanges(whole), starts: united, sought };
  }

  /** Without a word that is too short to be corrected, or what is left at the end of a legal form: `B.jV.` is `b jv`. */
  *#withoutShortWords(): Generator<IntendedWords[]> {
    const all = this.#with([]);
    for (const [place, word] of this.#words.entries()) {
      if (word.length < MIN_CORRECTABLE_LENGTH && !isNumber(word)) yield all.toSpliced(place, 1);
    }
    const end = this.#words.slice(-2).join("");
    if (codeWord(end).length <= MIN_CORRECTABLE_LENGTH && !isNumber(end)) yield all.slice(0, -2);
  }

  /** Two words as one, and one as two. */
  *#spacedOtherwise(): Generator<IntendedWords[]> {
    const all = this.#with([]);
    for (const [place, word] of this.#words.entries()) {
      const next = this.#words[place + 1];
      if (next !== undefined) {
        const joined = this.#index.beginning(word + next);
        if (joined.length > 0) yield all.toSpliced(place, 2, asTyped(joined));
      }
      if (word.length > MAX_CORRECTABLE_LENGTH) continue;
      const isLast = place === this.#words.length - 1;
      for (let cut = MIN_PART_LENGTH; cut <= word.length - MIN_PART_LENGTH; cut++) {
        const first = this.#index.whole(word.slice(0, cut));
        this.#work.left -= WORK_A_NAME;
        if (first.length === 0) continue;
        const end = word.slice(cut);
        const second = isLast ? this.#index.beginning(end) : this.#index.whole(end);
        if (second.length > 0) yield all.toSpliced(place, 1, asTyped(first), asTyped(second));
      }
    }
  }

  /** Adds the names that have a word for each that is meant to those found, each with the least that it differs by. */
  #addNames(meant: readonly IntendedWords[], found: Map<number, number>): void {
    const terms: Term[] = meant.map(({ sought }) => this.#index.wordTerm(sought));
    const ranks = this.#query.all(terms);
    this.#work.left -= this.#workOf(terms);
    if (this.#work.left <= 0) return;
    for (let read = 0; read < MAX_READ && this.#work.left > 0; read++) {
      const rank = ranks.next();
      if (rank === -1) return;
      this.#work.left -= WORK_A_NAME;
      const cost = this.#cost.of(rank, meant);
      const before = found.get(rank);
      if (before === undefined || cost < before) found.set(rank, cost);
    }
    if (this.#work.left > 0 && ranks.next() !== -1) this.#haveMore = true;
  }

  /** The approximate steps to find the names that satisfy the terms. */
  #workOf(terms: readonly Term[]): number {
    const rarest = Math.min(...terms.map(({ names }) => names));
    if (rarest <= MAX_IN_LIST) return rarest * 4;
    const chunks = Math.ceil(this.#index.names / CHUNK);
    return terms.reduce(
      (work, { ranges }) => work + chunks * (ranges.length > 1 ? WORK_TO_UNITE : WORK_A_CHUNK),
      0,
    );
  }
}
