import { mergeSorted } from "../lib/mergeSorted.ts";
import { EXACT_GROUPS } from "./exactNames.ts";
import type { Ranks, Term } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import type { IndexQuery, IndexWords } from "./indexQuery.ts";
import { digitsOf, type NameQuery } from "./query.ts";

/** How a name matches, best first. */
export type Match =
  | "number"
  | "exact"
  | "begins"
  | "in-order"
  | "words"
  | "starts-in-order"
  | "starts"
  | "criteria"
  | "one-edit"
  | "two-edits";

export function isMisspelled(match: Match): boolean {
  return match === "one-edit" || match === "two-edits";
}

/** A matching name. */
export interface Hit {
  readonly rank: number;
  readonly match: Match;
  /** Hits are sorted by group, then by rank. */
  readonly group: number;
  /** Sorted within its group by KVK number instead of rank. */
  readonly isByNumber?: boolean;
}

/** A hit and its index. */
export interface FoundHit extends Hit {
  readonly index: NameIndex;
  /** The name query that found it, if any. */
  readonly name?: NameQuery | undefined;
}

/** The first group of each kind of hit. The same for all indexes, so that their hits can be merged. */
const FIRST_GROUP = {
  criteria: 0,
  likelyNumber: 0,
  exact: 2,
  preferred: 2 + EXACT_GROUPS,
  active: 8 + EXACT_GROUPS,
  inactive: 14 + EXACT_GROUPS,
  number: 20 + EXACT_GROUPS,
} as const;

/** The maximum number of names to sort by match; further ones follow by rank. */
const MAX_SORTED = 500;
/** The same for names that contain the typed words exactly. */
const MAX_SORTED_EXACT = 200;
/** The maximum number of names that begin with the query to check against facets; further ones follow by rank. */
const MAX_FILTERED = 1_000;
/** From this length on, digits are more likely a KVK number than part of a name. */
const MIN_LIKELY_KVK_DIGITS = 5;

/**
 * Yields the companies that match a query, each once, best first:
 * 1. names that equal the query, except for the legal form;
 * 2. active companies before inactive ones, and within each, names that a. begin with the query, b. contain its words
 * in order, the last one as a prefix, c. contain them in any order, d. contain words with its words as prefixes, in
 * order, or e. in any order; each sorted by rank (see index/rankClasses.ts). Digits also match the start of KVK
 * numbers. Hits of a rewritten query come after equally good hits of the query itself.
 */
export function* ranked(query: IndexQuery): Generator<FoundHit> {
  const { index, name } = query;
  const seen = new Set<number>();
  for (const hit of hits(query)) {
    if (!index.records.isOnlyName(hit.rank) || name !== undefined) {
      const mainRank = index.mainRank(hit.rank);
      if (seen.has(mainRank)) continue;
      seen.add(mainRank);
    }
    yield { ...hit, group: rewrittenGroup(hit.group, name), index, name };
  }
}

/** Adjusts the group of a hit by the rank of its rewritten query; see {@link RewriteRank}. */
function rewrittenGroup(group: number, name: NameQuery | undefined): number {
  if (name?.rewriteRank === undefined || name.rewriteRank === "equal") return group;
  const { preferred, active, inactive } = FIRST_GROUP;
  if (group < active) return group + 0.5;
  return name.rewriteRank === "preferred" && group < inactive ? preferred + group - active : group + 1.5;
}

function* hits(query: IndexQuery): Generator<Hit> {
  const { name } = query;
  if (name === undefined) {
    yield* asHits(query.mainNames(), "criteria", FIRST_GROUP.criteria);
    return;
  }
  const digits = digitsOf(name);
  const isLikelyNumber = digits !== undefined && digits.length >= MIN_LIKELY_KVK_DIGITS;
  if (isLikelyNumber) yield* byNumber(query, digits, FIRST_GROUP.likelyNumber);
  yield* byName(query, name);
  if (digits !== undefined && !isLikelyNumber) yield* byNumber(query, digits, FIRST_GROUP.number);
}

function* asHits(ranks: Ranks, match: Match, group: number, isByNumber = false): Generator<Hit> {
  for (let rank = ranks.next(); rank !== -1; rank = ranks.next()) yield { rank, match, group, isByNumber };
}

/** Yields companies whose KVK number begins with the digits. */
function* byNumber(query: IndexQuery, digits: string, firstGroup: number): Generator<Hit> {
  for (const active of [true, false]) {
    if (query.isActive === !active) continue;
    const ranks = query.withNumberPrefix(digits, active);
    yield* asHits(ranks, "number", firstGroup + (active ? 0 : 1), query.facets.length === 0);
  }
}

function* byName(query: IndexQuery, name: NameQuery): Generator<Hit> {
  if (name.isRespaced !== true) {
    for (const { rank, group } of query.exact.names) {
      yield { rank, match: "exact", group: FIRST_GROUP.exact + group };
    }
  }
  const { words } = query;
  if (words === undefined) return;
  if (query.isActive !== false) yield* byPrefix(query, words);
  if (name.rewriteRank === "equal") return;
  for (const active of [true, false]) {
    if (query.isActive !== !active) yield* byMatch(query, words, active);
  }
}

/** Yields names of active companies that begin with the query, by rank. */
function* byPrefix(query: IndexQuery, { exact, lastWord }: IndexWords): Generator<Hit> {
  const { index } = query;
  const before = exact.slice(0, -1);
  if (before.includes(-1)) return;
  let remaining = query.facets.length === 0 ? Number.POSITIVE_INFINITY : MAX_FILTERED;
  const ranges = lastWord.map((range) => index.order.withPrefix(before, range));
  for (const rank of mergeSorted(ranges, (a, b) => a < b)) {
    if (!index.records.isActive(rank) || remaining-- === 0) return;
    if (index.isShown(rank) && query.matchesFacets(rank))
      yield { rank, match: "begins", group: FIRST_GROUP.active };
  }
}

/** Yields all names of active or inactive companies that contain words with the query's words as prefixes. */
function* byMatch(query: IndexQuery, words: IndexWords, isActive: boolean): Generator<Hit> {
  const [from, to] = query.bounds(isActive);
  if (from >= to) return;
  const { index } = query;
  const group = (match: NameMatch) => matchGroup(match, isActive);
  const starts = query.matching(words.prefixTerms, isActive);
  if (words.exact.length === 1 && isActive) {
    yield* asHits(starts, "in-order", group("in-order"));
    return;
  }
  const firstRanks = takeFirst(starts, MAX_SORTED);
  if (firstRanks.length < MAX_SORTED) {
    yield* sortedByMatch(index, words, firstRanks, group);
    return;
  }
  const wholeWords = wholeTerms(index, words);
  if (wholeWords !== undefined) {
    const whole = query.matching(wholeWords, isActive);
    yield* sortedByMatch(index, words, takeFirst(whole, MAX_SORTED_EXACT), group);
    yield* asHits(whole, "words", group("words"));
  }
  yield* sortedByMatch(index, words, firstRanks, group);
  yield* asHits(starts, "starts", group("starts"));
}

function takeFirst(ranks: Ranks, most: number): number[] {
  const found: number[] = [];
  while (found.length < most) {
    const rank = ranks.next();
    if (rank === -1) break;
    found.push(rank);
  }
  return found;
}

/**
 * Returns terms for names that contain every word exactly and the last one as a prefix; undefined when a word is
 * unknown.
 */
function wholeTerms(index: NameIndex, { exact, lastWord }: IndexWords): Term[] | undefined {
  const before = [...new Set(exact.slice(0, -1))];
  if (before.includes(-1)) return undefined;
  return [...before.map((word) => index.wordTerm([{ from: word, to: word + 1 }])), index.wordTerm(lastWord)];
}

const ORDER = ["begins", "in-order", "words", "starts-in-order", "starts"] as const;
type NameMatch = (typeof ORDER)[number];

/** Returns the group of a match. */
function matchGroup(match: NameMatch, isActive: boolean): number {
  return (isActive ? FIRST_GROUP.active : FIRST_GROUP.inactive) + ORDER.indexOf(match);
}

/** Sorts names by match; equal ones stay sorted by rank. */
function* sortedByMatch(
  index: NameIndex,
  words: IndexWords,
  ranks: readonly number[],
  group: (match: NameMatch) => number,
): Generator<Hit> {
  const byMatch = new Map<NameMatch, number[]>(ORDER.map((match) => [match, []]));
  const mayBeWhole = !words.exact.slice(0, -1).includes(-1);
  for (const rank of ranks) byMatch.get(matchOf(index, words, mayBeWhole, rank))?.push(rank);
  for (const [match, matching] of byMatch) {
    for (const rank of matching) yield { rank, match, group: group(match) };
  }
}

/** Determines the best match of a name that contains the query's words as prefixes. */
function matchOf(
  { nameWords }: NameIndex,
  { exact, lastWord, letters, firstWords, prefixTerms }: IndexWords,
  mayBeWhole: boolean,
  rank: number,
): NameMatch {
  if (nameWords.isFirstIn(rank, firstWords) && nameWords.beginsWith(rank, letters)) return "begins";
  if (mayBeWhole) {
    if (nameWords.hasInOrder(rank, exact, lastWord)) return "in-order";
    if (nameWords.hasAll(rank, exact, exact.length - 1)) return "words";
  }
  return nameWords.hasStartsInOrder(rank, prefixTerms) ? "starts-in-order" : "starts";
}
