import type { SearchCriteria } from "./criteria.ts";
import { type ExactNames, exactNames } from "./exactNames.ts";
import { cityWord, legalFormWord, postalCodeWord, sbiWord } from "./facets.ts";
import type { Ranks, Term } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { houseNumberByte } from "./index/records.ts";
import type { WordRange } from "./index/trie.ts";
import { withoutSpaces } from "./normalise.ts";
import type { NameQuery } from "./query.ts";

/** Active companies, inactive ones, or both when undefined. */
export type IsActive = boolean | undefined;

/** A search, independent of an index. */
export interface SearchQuery {
  /** Undefined: any name. */
  readonly name: NameQuery | undefined;
  /** The same name in other words; see rewrittenQueries.ts. */
  readonly rewritten?: readonly NameQuery[];
  readonly place?: Place | undefined;
  readonly filters: SearchFilters;
  readonly isActive: IsActive;
}

/** A place that the query contains. */
export interface Place {
  /** Facet words of cities, one of which must match; see facets.ts. */
  readonly cities?: readonly string[];
  /** Whether the city words are prefixes. */
  readonly arePrefixes?: boolean;
  /** A postal code or a prefix of one. */
  readonly postalCode?: string;
  /** A house number at the postal code. Companies with another one are not found, unless a name decides. */
  readonly houseNumber?: string;
}

/** The criteria of a search that are not about names. */
export type SearchFilters = Pick<
  SearchCriteria,
  "city" | "postalCode" | "legalForm" | "sbiCode" | "sbiVersion"
>;

/** The words of a name query, looked up in an index. */
export interface IndexWords {
  /** The number of each word; -1 for a word that no name has. */
  readonly exact: readonly number[];
  /** The words with the last word as a prefix, in ascending ranges. */
  readonly lastWord: readonly WordRange[];
  /** A term for each distinct word: the name has a word with this prefix. */
  readonly prefixTerms: readonly Term[];
  /** The query without spaces, as UTF-8. */
  readonly letters: Uint8Array;
  /** The possible first words of names that begin with these letters. */
  readonly firstWords: readonly WordRange[];
}

/** A query for one name in one index. Looks up words and exact names once, on first use. */
export class IndexQuery {
  readonly index: NameIndex;
  /** Undefined: any name. */
  readonly name: NameQuery | undefined;
  /** The terms of filters and place; all must match. */
  readonly facets: readonly Term[];
  readonly isActive: IsActive;
  readonly #house: number;
  #words: { readonly value: IndexWords | undefined } | undefined;
  #exact: ExactNames | undefined;

  constructor(
    index: NameIndex,
    { isActive, place }: SearchQuery,
    name: NameQuery | undefined,
    facets: readonly Term[],
  ) {
    this.index = index;
    this.name = name;
    this.facets = facets;
    this.isActive = isActive;
    this.#house = houseNumberByte(place?.houseNumber);
  }

  /** The words of the name; undefined when no name can match. */
  get words(): IndexWords | undefined {
    this.#words ??= { value: this.name && lookUpWords(this.index, this.name) };
    return this.#words.value;
  }

  /** The names that equal the query, except for the legal form. */
  get exact(): ExactNames {
    const { index, name, isActive } = this;
    const accepts = (rank: number) =>
      (isActive === undefined || index.records.isActive(rank) === isActive) && this.matchesFacets(rank);
    this.#exact ??= name === undefined ? { names: [], isComplete: true } : exactNames(index, name, accepts);
    return this.#exact;
  }

  /** The range of ranks of active, inactive or all companies; `to` is exclusive. */
  bounds(isActive: IsActive = this.isActive): readonly [from: number, to: number] {
    const { activeNames, names } = this.index;
    return [isActive === false ? activeNames : 0, isActive === true ? activeNames : names];
  }

  /** The ranks of names that match all terms (at least one) and facets, ascending. */
  matching(terms: readonly Term[], isActive: IsActive = this.isActive): Ranks {
    return this.index.matching([...terms, ...this.facets], ...this.bounds(isActive));
  }

  matchesFacets(rank: number): boolean {
    return this.facets.every((facet) => facet.matches(rank));
  }

  /** The main names of all companies that match the facets and the house number. */
  mainNames(): Ranks {
    const { index } = this;
    const { records } = index;
    const isAtHouse = (rank: number) => this.#house === 0 || records.house(rank) === this.#house;
    const all = this.facets.length === 0 ? between(...this.bounds()) : this.matching([]);
    return {
      next() {
        let rank = all.next();
        while (rank !== -1 && !(records.isMainName(rank) && index.isShown(rank) && isAtHouse(rank)))
          rank = all.next();
        return rank;
      },
    };
  }

  /**
   * The main names of companies whose KVK number begins with some digits: by number, or by rank if there are facets.
   */
  withNumberPrefix(digits: string, isActive: boolean): Ranks {
    const range = [Number(digits.padEnd(8, "0")), Number(digits.padEnd(8, "9"))] as const;
    const own = this.index.numbers.inRange(range, isActive);
    return this.facets.length === 0
      ? this.index.shown(ranksOf(own))
      : ranksOf(this.#withFacets(Uint32Array.from(own).sort(), isActive));
  }

  /**
   * Keeps the names that match the facets. Merges both lists, which is much faster than looking up each name in the
   * postings.
   */
  *#withFacets(ascending: Uint32Array, isActive: boolean): Generator<number> {
    const all = this.matching([], isActive);
    let rank = all.next();
    for (const one of ascending) {
      while (rank !== -1 && rank < one) rank = all.next();
      if (rank === -1) return;
      if (rank === one) yield one;
    }
  }
}

function ranksOf(generator: Generator<number, void>): Ranks {
  return {
    next() {
      const { done, value } = generator.next();
      return done === true ? -1 : value;
    },
  };
}

/** Returns the queries for the name and its rewritten forms in an index; none when no company can match. */
export function indexQueries(index: NameIndex, query: SearchQuery): IndexQuery[] {
  const facets = facetTerms(index, query.filters);
  const place = query.place === undefined ? [] : placeTerms(index, query.place);
  if (facets === undefined || place.some(({ maxNames }) => maxNames === 0)) return [];
  return [query.name, ...(query.rewritten ?? [])].map(
    (name) => new IndexQuery(index, query, name, [...facets, ...place]),
  );
}

/** Returns the terms of a place. A term matches no names if the place is not in the index. */
export function placeTerms(index: NameIndex, { cities, arePrefixes, postalCode }: Place): Term[] {
  const terms: Term[] = [];
  if (cities !== undefined) terms.push(index.cityTerm(cities, arePrefixes));
  const word = postalCode === undefined ? undefined : postalCodeWord(postalCode);
  if (word !== undefined) terms.push(index.postalCodeTerm(word));
  return terms;
}

/** Returns the terms of the filters; undefined when one of them cannot match. */
function facetTerms(
  index: NameIndex,
  { city, postalCode, legalForm, sbiCode, sbiVersion }: SearchFilters,
): Term[] | undefined {
  const terms: (Term | undefined)[] = [];
  const add = (word: string | undefined, term: (word: string) => Term) =>
    terms.push(word === undefined ? undefined : term(word));
  if (city !== undefined) add(cityWord(city), (word) => index.cityTerm([word]));
  if (postalCode !== undefined) add(postalCodeWord(postalCode), (word) => index.postalCodeTerm(word));
  if (legalForm !== undefined) add(legalFormWord(legalForm), () => index.legalFormTerm(legalForm));
  if (sbiCode !== undefined) add(sbiWord(sbiCode), (word) => index.activityTerm(word, sbiVersion));
  const satisfiable = terms.filter((term) => term !== undefined).filter(({ ranges }) => ranges.length > 0);
  return satisfiable.length < terms.length ? undefined : satisfiable;
}

function lookUpWords(index: NameIndex, { words, isWholeWord, normal }: NameQuery): IndexWords | undefined {
  const beginnings = new Map<string, readonly WordRange[]>();
  let lastWord: readonly WordRange[] = [];
  for (const [nth, word] of words.entries()) {
    const isWhole = isWholeWord?.[nth] === true;
    const key = isWhole ? `${word} ` : word;
    const known = beginnings.get(key);
    lastWord = known ?? (isWhole ? index.exactWord(word) : index.withPrefix(word));
    if (lastWord.length === 0) return undefined;
    if (known === undefined) beginnings.set(key, lastWord);
  }
  const letters = Buffer.from(withoutSpaces(normal));
  return {
    exact: words.map((word) => index.wordNumber(word) ?? -1),
    lastWord,
    prefixTerms: [...beginnings.values()].map((ranges) => index.wordTerm(ranges)),
    letters,
    firstWords: index.trie.firstWordsOf(letters),
  };
}

function between(from: number, to: number): Ranks {
  let rank = from;
  return { next: () => (rank < to ? rank++ : -1) };
}
