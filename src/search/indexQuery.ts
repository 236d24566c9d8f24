import type { SearchCriteria } from "./criteria.ts";
import { type ExactNames, exactNames } from "./exactNames.ts";
import { cityWord, legalFormWord, postalCodeWord, sbiWord } from "./facets.ts";
import type { Ranks, Term } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import type { WordRange } from "./index/trie.ts";
import { squeeze } from "./normalise.ts";
import type { NameQuery } from "./query.ts";

/** Active companies, inactive ones, or both when undefined. */
export type IsActive = boolean | undefined;

/** A search, in terms that apply to every index of a registry. */
export interface Query {
  /** Undefined: any name. */
  readonly name: NameQuery | undefined;
  /** The same name in other words; see restated.ts. */
  readonly restated?: readonly NameQuery[];
  readonly place?: Place | undefined;
  readonly filters: SearchFilters;
  readonly isActive: IsActive;
}

/** Where a company is, as some words of the typed text say. */
export interface Place {
  /** One of these cities, by their words; see facets.ts. */
  readonly cities?: readonly string[];
  /** Whether these are beginnings of cities. */
  readonly areBegun?: boolean;
  /** A postal code or its beginning. */
  readonly postalCode?: string;
}

/** The criteria of a search that are not about names. */
export type SearchFilters = Pick<SearchCriteria, "city" | "postalCode" | "legalForm" | "sbiCode">;

/** The words of a name query by their numbers in an index. */
export interface IndexWords {
  /** The number of each word as it stands; -1 where no name has it. */
  readonly whole: readonly number[];
  /** The words that begin with the last word; ranges ascend. */
  readonly last: readonly WordRange[];
  /** One term for each different word: a name has a word that begins with it. */
  readonly starts: readonly Term[];
  /** The query without spaces, as UTF-8. */
  readonly letters: Uint8Array;
  /** The first words of names that may begin with these letters. */
  readonly first: readonly WordRange[];
}

/** A query of one name in one index. Words and exact names are looked up once, when they are first needed. */
export class IndexQuery {
  readonly index: NameIndex;
  /** Undefined: any name. */
  readonly name: NameQuery | undefined;
  /** Filters and place: every one must hold. */
  readonly facets: readonly Term[];
  readonly isActive: IsActive;
  #words: { readonly found: IndexWords | undefined } | undefined;
  #exact: ExactNames | undefined;

  constructor(index: NameIndex, name: NameQuery | undefined, facets: readonly Term[], isActive: IsActive) {
    this.index = index;
    this.name = name;
    this.facets = facets;
    this.isActive = isActive;
  }

  /** The words of the name; undefined when no name can have all of them. */
  get words(): IndexWords | undefined {
    this.#words ??= { found: this.name && wordsIn(this.index, this.name) };
    return this.#words.found;
  }

  /** The names that are the query, legal form aside. */
  get exact(): ExactNames {
    const { index, name, isActive } = this;
    this.#exact ??=
      name === undefined
        ? { names: [], areAll: true }
        : exactNames(
            index,
            name,
            (rank) =>
              (isActive === undefined || index.records.isActive(rank) === isActive) &&
              this.satisfiesFacets(rank),
          );
    return this.#exact;
  }

  /** The ranks of active, inactive or all companies: from the first to the second, exclusive. */
  bounds(isActive: IsActive = this.isActive): readonly [from: number, to: number] {
    const { activeNames, names } = this.index;
    return [isActive === false ? activeNames : 0, isActive === true ? activeNames : names];
  }

  /** The names that satisfy some terms, of which there is one at least, and the facets; ascending. */
  all(terms: readonly Term[], isActive: IsActive = this.isActive): Ranks {
    return this.index.all([...terms, ...this.facets], ...this.bounds(isActive));
  }

  satisfiesFacets(rank: number): boolean {
    return this.facets.every((facet) => facet.isOf(rank));
  }

  /** Every own name that satisfies the facets. */
  ownNames(): Ranks {
    const { index } = this;
    const all = this.facets.length === 0 ? between(...this.bounds()) : this.all([]);
    return {
      next() {
        let rank = all.next();
        while (rank !== -1 && !(index.records.isOwn(rank) && index.isShown(rank))) rank = all.next();
        return rank;
      },
    };
  }

  /** The own names of companies whose KVK number begins with some digits: in the order of the numbers, or by rank where there are facets. */
  withNumbers(digits: string, isActive: boolean): Ranks {
    const range = [Number(digits.padEnd(8, "0")), Number(digits.padEnd(8, "9"))] as const;
    const own = this.index.numbers.within(range, isActive);
    return this.facets.length === 0
      ? this.index.shown(ranksOf(own))
      : ranksOf(this.#satisfying(Uint32Array.from(own).sort(), isActive));
  }

  /** Those of some names that satisfy the facets. Both lists are read once: looking up each name in the postings takes many times as long. */
  *#satisfying(ascending: Uint32Array, isActive: boolean): Generator<number> {
    const all = this.all([], isActive);
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

/** A query in an index: one for its name and one for each restated name; none when no company there can satisfy it. */
export function indexQueries(index: NameIndex, query: Query): IndexQuery[] {
  const facets = facetTerms(index, query.filters);
  const place = query.place === undefined ? [] : placeTerms(index, query.place);
  if (facets === undefined || place.some(({ names }) => names === 0)) return [];
  return [query.name, ...(query.restated ?? [])].map(
    (name) => new IndexQuery(index, name, [...facets, ...place], query.isActive),
  );
}

/** A place as terms of an index; a term without names if the index does not know the place. */
export function placeTerms(index: NameIndex, { cities, areBegun, postalCode }: Place): Term[] {
  const terms: Term[] = [];
  if (cities !== undefined) terms.push(index.cityTerm(cities, areBegun));
  const word = postalCode === undefined ? undefined : postalCodeWord(postalCode);
  if (word !== undefined) terms.push(index.postalCodeTerm(word));
  return terms;
}

/** The terms of the filters; undefined when nothing can satisfy one. */
function facetTerms(
  index: NameIndex,
  { city, postalCode, legalForm, sbiCode }: SearchFilters,
): Term[] | undefined {
  const terms: (Term | undefined)[] = [];
  const add = (word: string | undefined, term: (word: string) => Term) =>
    terms.push(word === undefined ? undefined : term(word));
  if (city !== undefined) add(cityWord(city), (word) => index.cityTerm([word]));
  if (postalCode !== undefined) add(postalCodeWord(postalCode), (word) => index.postalCodeTerm(word));
  if (legalForm !== undefined) add(legalFormWord(legalForm), () => index.legalFormTerm(legalForm));
  if (sbiCode !== undefined) add(sbiWord(sbiCode), (word) => index.activityTerm(word));
  const satisfiable = terms.filter((term) => term !== undefined).filter(({ ranges }) => ranges.length > 0);
  return satisfiable.length < terms.length ? undefined : satisfiable;
}

function wordsIn(index: NameIndex, { words, areWhole, normal }: NameQuery): IndexWords | undefined {
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

function between(from: number, to: number): Ranks {
  let rank = from;
  return { next: () => (rank < to ? rank++ : -1) };
}
