import type { SearchCriteria } from "./criteria.ts";
import { cityWord, legalFormWord, postalCodeWord, sbiWord } from "./facets.ts";
import type { Ranks, Term } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import type { WordRange } from "./index/trie.ts";
import { squeeze } from "./normalise.ts";
import type { NameQuery } from "./query.ts";

/** Which companies: active ones, inactive ones, or both when undefined. */
export type IsActive = boolean | undefined;

/** What is asked of all indexes of a registry. */
export interface Question {
  /** Undefined: any name. */
  readonly query: NameQuery | undefined;
  readonly filters: SearchFilters;
  /** The same in other words; see restated.ts. */
  readonly restated?: readonly NameQuery[];
  /** Places that the other typed words name. */
  readonly place?: Place | undefined;
  /** Undefined: both. */
  readonly isActive: IsActive;
}

/** Where a company is, as some words of a query say. */
export interface Place {
  /** One of these cities, by their words; see facets.ts. */
  readonly cities?: readonly string[];
  /** Whether these are beginnings of cities. */
  readonly areBegun?: boolean;
  /** A postal code or its beginning. */
  readonly postalCode?: string;
}

/** What a search asks beside names. */
export type SearchFilters = Pick<SearchCriteria, "city" | "postalCode" | "legalForm" | "sbiCode">;

/** What hits of one index must satisfy: a question in its own words. */
export interface Wanted {
  /** Undefined: any name. */
  readonly query: NameQuery | undefined;
  /** What is asked beside names: every one must hold. */
  readonly facets: readonly Term[];
  /** Undefined: both. */
  readonly isActive: IsActive;
}

/** The words of a query as the index knows them. */
export interface AskedWords {
  /** For each word of the query the number of the very word, -1 where no name has it. */
  readonly whole: readonly number[];
  /** The words that begin as the last one does, ranges ascending. */
  readonly last: readonly WordRange[];
  /** A name has, for each word of the query, one that begins so. */
  readonly starts: readonly Term[];
  /** The query without spaces, as UTF-8. */
  readonly letters: Uint8Array;
  /** The words with which a name may begin that begins with these letters. */
  readonly first: readonly WordRange[];
}

/** A question in the words of an index; undefined when none of its names can be an answer. */
export function wantedIn(
  index: NameIndex,
  { query, filters, place, isActive }: Question,
): Wanted | undefined {
  const facets = facetTerms(index, filters);
  const atPlace = place === undefined ? [] : placeTerms(index, place);
  if (facets === undefined || atPlace.some(({ names }) => names === 0)) return undefined;
  return { query, facets: [...facets, ...atPlace], isActive };
}

/** The same for the query and each of those that restate it. */
export function allWantedIn(index: NameIndex, question: Question): Wanted[] {
  const wanted = wantedIn(index, question);
  if (wanted === undefined) return [];
  return [wanted, ...(question.restated ?? []).map((query) => ({ ...wanted, query }))];
}

/** A place as a term of an index; a term without names if the index does not know the place. */
export function placeTerms(index: NameIndex, { cities, areBegun, postalCode }: Place): Term[] {
  const terms: Term[] = [];
  if (cities !== undefined) terms.push(index.cityTerm(cities, areBegun));
  const word = postalCode === undefined ? undefined : postalCodeWord(postalCode);
  if (word !== undefined) terms.push(index.postalCodeTerm(word));
  return terms;
}

/** The words of a query; undefined when no name has a word that begins as one of them. */
export function askedWords(index: NameIndex, { words, areWhole, normal }: NameQuery): AskedWords | undefined {
  const beginnings = new Map<string, readonly WordRange[]>();
  let last: readonly WordRange[] = [];
  for (const [nth, word] of words.entries()) {
    const isWhole = areWhole?.[nth] === true;
    const key = isWhole ? `${word} ` : word;
    const known = beginnings.get(key);
    last = known ?? (isWhole ? index.whole(word) : index.beginning(word));
    if (last.length === 0) return undefined;
    if (known === undefined) beginnings.set(key, last);
  }
  const letters = Buffer.from(squeeze(normal));
  return {
    whole: words.map((word) => index.wordNumber(word) ?? -1),
    last,
    starts: [...beginnings.values()].map((ranges) => index.wordTerm(ranges)),
    letters,
    first: index.trie.firstWordsOf(letters),
  };
}

/** The terms of what a search asks beside names; undefined when nothing can satisfy one. */
function facetTerms(index: NameIndex, filters: SearchFilters): Term[] | undefined {
  const { city, postalCode, legalForm, sbiCode } = filters;
  const terms: (Term | undefined)[] = [];
  const add = (word: string | undefined, term: (word: string) => Term) =>
    terms.push(word === undefined ? undefined : term(word));
  if (city !== undefined) add(cityWord(city), (word) => index.cityTerm([word]));
  if (postalCode !== undefined) add(postalCodeWord(postalCode), (word) => index.postalCodeTerm(word));
  if (legalForm !== undefined) add(legalFormWord(legalForm), () => index.legalFormTerm(legalForm));
  if (sbiCode !== undefined) add(sbiWord(sbiCode), (word) => index.activityTerm(word));
  const satisfiable = terms.filter((term) => term !== undefined && term.ranges.length > 0);
  return satisfiable.length < terms.length ? undefined : satisfiable.filter((term) => term !== undefined);
}

/** The ranks of the companies that are wanted: from the first to the second, the latter not included. */
export function rankBounds(index: NameIndex, isActive: IsActive): readonly [from: number, to: number] {
  return [isActive === false ? index.activeNames : 0, isActive === true ? index.activeNames : index.names];
}

/** Every own name that satisfies the facets. */
export function ownNames(index: NameIndex, { facets, isActive }: Wanted): Ranks {
  const [from, to] = rankBounds(index, isActive);
  const all: Ranks = facets.length === 0 ? between(from, to) : index.all(facets, from, to);
  return {
    next() {
      let rank = all.next();
      while (rank !== -1 && !(index.records.isOwn(rank) && index.isShown(rank))) rank = all.next();
      return rank;
    },
  };
}

/**
 * Those of some own names that satisfy the facets and are shown, ascending; there is one facet at least. Both lists are
 * gone through once: to look each name up in the postings takes many times as long.
 */
export function* withFacets(
  index: NameIndex,
  own: Iterable<number>,
  { facets, isActive }: Pick<Wanted, "facets" | "isActive">,
): Generator<number> {
  const ranks = Uint32Array.from(own).sort();
  const wanted = index.all(facets, ...rankBounds(index, isActive));
  let rank = wanted.next();
  for (const one of ranks) {
    while (rank !== -1 && rank < one) rank = wanted.next();
    if (rank === -1) return;
    if (rank === one) yield one;
  }
}

function between(from: number, to: number): Ranks {
  let rank = from;
  return { next: () => (rank < to ? rank++ : -1) };
}
