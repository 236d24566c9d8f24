import { isFacetMarker, postalCodeWord } from "../search/facets.ts";
import type { Ranks, Term } from "../search/index/conjunction.ts";
import { codeWord } from "../search/index/dictionary.ts";
import { type Budget, mergeRanges, wordsWithin } from "../search/index/editDistance.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import type { WordRange } from "../search/index/trie.ts";
import { hashOfKey } from "../search/indexedNames.ts";
import { exactKeys } from "../search/legalFormWords.ts";
import { soundAlikes } from "../search/spellingVariants.ts";
import type { PreparedQuery } from "./preparedQuery.ts";

/** A name in an index that may be meant. */
export interface NameCandidate {
  readonly index: NameIndex;
  readonly rank: number;
  readonly text: string;
}

/** The number of names to compare in full. */
const MAX_COMPARED = 40;
/** All names with a word are read if there are at most this many; more common words count only together. */
const MAX_RARE = 800;
const MAX_PER_COMBINATION = 150;
/** The maximum number of names to read per index. */
const MAX_READ = 2_000;
/** The number of rarest common words that are combined with each other. */
const MAX_COMBINED = 4;
/** Puts equal names before all others, nats. */
const EQUAL_NAME = 100;
/** The information of a city or postal code for choosing candidates, nats. */
const SAME_PLACE = 4;
/** Longer names are compared, but found by their rarest words only. */
const MAX_WORDS = 16;
/** The budget to find similar words of one word; see {@link wordsWithin}. */
const MAX_STEPS_PER_WORD = 40_000;
const MIN_ONE_EDIT_LENGTH = 4;
const MIN_TWO_EDITS_LENGTH = 8;
const MIN_SPLIT_LENGTH = 6;

/** A word of the query with the words of an index that it may stand for. */
interface QueryTerm {
  readonly term: Term;
  /** The information of the word in nats: more for rarer words. */
  readonly information: number;
}

/**
 * Finds the names that may be meant, the most likely first: names that equal the query except for the legal form, that
 * share rare words, several common words, or a word and the place, and names at the address.
 * @param isThorough also corrects words that exist
 */
export function findCandidates(index: NameIndex, query: PreparedQuery, isThorough: boolean): NameCandidate[] {
  /** The information that each name shares with the query, nats. */
  const found = new Map<number, number>();
  const add = (rank: number, information: number) => found.set(rank, (found.get(rank) ?? 0) + information);
  const read = (ranks: Ranks, limit: number, information = 0) => {
    for (let count = 0, rank = ranks.next(); rank !== -1; rank = ranks.next()) {
      if (count++ >= limit || found.size >= MAX_READ) return;
      add(rank, information);
    }
  };
  for (const rank of equalNames(index, query)) add(rank, EQUAL_NAME);
  for (const rank of namesAtAddress(index, query)) add(rank, 0);
  const terms = queryTerms(index, query, isThorough);
  const places = placeTerms(index, query);
  const rare = terms.filter(({ term }) => term.maxNames <= MAX_RARE);
  const common = terms.filter(({ term }) => term.maxNames > MAX_RARE).slice(0, MAX_COMBINED);
  for (const { term, information } of rare) read(index.matching([term]), MAX_RARE, information);
  for (const [nth, { term }] of common.entries()) {
    for (const place of places) read(index.matching([term, place]), MAX_PER_COMBINATION);
    for (const other of common.slice(nth + 1)) read(index.matching([term, other.term]), MAX_PER_COMBINATION);
  }
  if (rare.length === 0 && common[0] !== undefined)
    read(index.matching([common[0].term]), MAX_PER_COMBINATION);
  for (const rank of found.keys()) {
    for (const { term, information } of common)
      if (index.nameWords.hasOneOf(rank, term.ranges)) add(rank, information);
    for (const place of places) if (place.matches(rank)) add(rank, SAME_PLACE);
  }
  return [...found]
    .sort(([rank, weight], [otherRank, otherWeight]) => otherWeight - weight || rank - otherRank)
    .slice(0, MAX_COMPARED)
    .map(([rank]) => ({ index, rank, text: index.records.text(rank) }));
}

/** Yields the names that differ from the query only by legal form and spaces. Some others may have the same hash. */
function* equalNames(index: NameIndex, { name }: PreparedQuery): Generator<number> {
  if (name === undefined) return;
  let count = 0;
  for (const key of exactKeys(name.normal)) {
    for (const rank of index.exactKeys.withHash(hashOfKey(key))) {
      if (!index.isShown(rank)) continue;
      if (count++ >= MAX_READ / 2) return;
      yield rank;
    }
  }
}

function namesAtAddress(index: NameIndex, { postalCode, houseNumber }: PreparedQuery): number[] {
  if (postalCode === undefined || houseNumber === undefined) return [];
  return [...index.atAddress(postalCode, houseNumber)].slice(0, MAX_PER_COMBINATION);
}

function placeTerms(index: NameIndex, { cityWord, postalCode }: PreparedQuery): Term[] {
  const postalWord = postalCode === undefined ? undefined : postalCodeWord(postalCode);
  return [
    ...(cityWord === undefined ? [] : [index.cityTerm([cityWord])]),
    ...(postalWord === undefined ? [] : [index.postalCodeTerm(postalWord)]),
  ].filter(({ maxNames }) => maxNames > 0);
}

/** Returns the words of the query that the index has, or similar ones, rarest first. */
function queryTerms(
  index: NameIndex,
  { name, informationOf }: PreparedQuery,
  isThorough: boolean,
): QueryTerm[] {
  if (name === undefined) return [];
  const terms: QueryTerm[] = [];
  const words = name.words.slice(0, MAX_WORDS);
  for (const [position, word] of words.entries()) {
    const isLast = position === name.words.length - 1;
    const ranges = [
      ...index.exactWord(word),
      ...name.variants.flatMap((one) =>
        one.position === position && one.words.length === 1 ? index.exactWord(one.words[0] ?? "") : [],
      ),
      ...(words[position + 1] === undefined ? [] : index.exactWord(word + words[position + 1])),
      ...(name.dotted.has(word) || (isLast && name.isCut) ? index.withPrefix(word) : []),
    ];
    if (ranges.length === 0 || isThorough) ranges.push(...similarWords(index, word), ...partsOf(index, word));
    if (ranges.length === 0) continue;
    const term = index.wordTerm(mergeRanges(ranges));
    terms.push({ term, information: informationOf(word) });
  }
  return terms.sort((a, b) => a.term.maxNames - b.term.maxNames);
}

function similarWords(index: NameIndex, word: string): WordRange[] {
  const coded = codeWord(word);
  if (coded.length < MIN_ONE_EDIT_LENGTH || /[0-9]/.test(coded)) return [];
  const budget: Budget = { left: MAX_STEPS_PER_WORD };
  const edits = coded.length >= MIN_TWO_EDITS_LENGTH ? 2 : 1;
  const { exact } = wordsWithin(index.trie, coded, edits, budget, isFacetMarker);
  const [, one = [], two = []] = exact;
  return [
    ...(one.length > 0 ? one : two).map((number) => ({ from: number, to: number + 1 })),
    ...soundAlikes(word).flatMap((other) => index.exactWord(other)),
  ];
}

/** Returns the rarer part of each pair of words that make up one word: `nl` or `post` of `postnl`. */
function partsOf(index: NameIndex, word: string): WordRange[] {
  if (word.length < MIN_SPLIT_LENGTH) return [];
  return Array.from({ length: word.length - 3 }, (_, nth) => nth + 2).flatMap((at) => {
    const [first, second] = [index.exactWord(word.slice(0, at)), index.exactWord(word.slice(at))];
    if (first.length === 0 || second.length === 0) return [];
    return index.wordTerm(first).maxNames < index.wordTerm(second).maxNames ? first : second;
  });
}
