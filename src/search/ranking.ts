import { mergeSorted } from "../lib/mergeSorted.ts";
import { EXACT_GROUPS } from "./exactNames.ts";
import type { Ranks, Term } from "./index/conjunction.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import type { IndexQuery, IndexWords } from "./indexQuery.ts";
import { digitsOf, type NameQuery } from "./query.ts";

/** In what way a name fits, from the best to the least. */
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

/** A name that fits, by its rank. */
export interface Hit {
  readonly rank: number;
  readonly match: Match;
  /** Hits of a lower group come first; within one the lower rank does. */
  readonly group: number;
  /** Within its group it stands by KVK number, not by rank. */
  readonly isByNumber?: boolean;
}

/** A hit and the index whose name it is. */
export interface FoundHit extends Hit {
  readonly index: NameIndex;
  /** The name query that found it; absent where there was none. */
  readonly name?: NameQuery | undefined;
}

/** Where the groups of each kind of hit begin; the same for every index, so that hits of several can be merged. */
const FIRST_GROUP = {
  criteria: 0,
  likelyNumber: 0,
  exact: 2,
  likelier: 2 + EXACT_GROUPS,
  active: 8 + EXACT_GROUPS,
  ended: 14 + EXACT_GROUPS,
  number: 20 + EXACT_GROUPS,
} as const;

/** Names that are put in order by how they fit; of more, only the first ones. */
const MAX_SORTED = 500;
/** The same for names that have the typed words whole. */
const MAX_SORTED_WHOLE = 200;
/** Names that begin with the query and are compared with its facets; further ones come by rank. */
const MAX_FILTERED = 1_000;
/** From so many digits on, a number is likelier meant as a KVK number than as part of a name. */
const LIKELY_KVK_DIGITS = 5;

/**
 * The companies that satisfy a query, each once, best first:
 * 1. those with exactly this name, legal form aside;
 * 2. active companies before all others, and among each of the two names that
 *    a. begin with the query, b. have its words in order, the last one begun, c. have them in any order, d. have words that begin
 *    as its words do, in order, or e. in any order; each by rank (see index/rankClasses.ts).
 * Digits also find KVK numbers that begin with them. Hits of a restated query come behind those of the query itself that fit as well.
 */
export function* ranked(query: IndexQuery): Generator<FoundHit> {
  const { index, name } = query;
  const seen = new Set<number>();
  for (const hit of hits(query)) {
    if (!index.records.isOnly(hit.rank) || name !== undefined) {
      const own = index.ownRank(hit.rank);
      if (seen.has(own)) continue;
      seen.add(own);
    }
    yield { ...hit, group: groupFor(hit.group, name), index, name };
  }
}

/** The group of a hit of a restated query: `alike` ones come behind names of the query itself that fit one kind better, exact names aside. */
function groupFor(group: number, name: NameQuery | undefined): number {
  if (name?.rewriteRank === undefined || name.rewriteRank === "equal") return group;
  const { likelier, active, ended } = FIRST_GROUP;
  if (group < active) return group + 0.5;
  return name.rewriteRank === "likelier" && group < ended ? likelier + group - active : group + 1.5;
}

function* hits(query: IndexQuery): Generator<Hit> {
  const { name } = query;
  if (name === undefined) {
    yield* streamed(query.ownNames(), "criteria", FIRST_GROUP.criteria);
    return;
  }
  const digits = digitsOf(name);
  const isLikelyNumber = digits !== undefined && digits.length >= LIKELY_KVK_DIGITS;
  if (isLikelyNumber) yield* numbered(query, digits, FIRST_GROUP.likelyNumber);
  yield* named(query, name);
  if (digits !== undefined && !isLikelyNumber) yield* numbered(query, digits, FIRST_GROUP.number);
}

function* streamed(ranks: Ranks, match: Match, group: number, isByNumber = false): Generator<Hit> {
  for (let rank = ranks.next(); rank !== -1; rank = ranks.next()) yield { rank, match, group, isByNumber };
}

/** Companies whose KVK number begins with the digits. */
function* numbered(query: IndexQuery, digits: string, firstGroup: number): Generator<Hit> {
  for (const active of [true, false]) {
    if (query.isActive === !active) continue;
    const ranks = query.withNumbers(digits, active);
    yield* streamed(ranks, "number", firstGroup + (active ? 0 : 1), query.facets.length === 0);
  }
}

function* named(query: IndexQuery, name: NameQuery): Generator<Hit> {
  if (name.isRespaced !== true) {
    for (const { rank, group } of query.exact.names) {
      yield { rank, match: "exact", group: FIRST_GROUP.exact + group };
    }
  }
  const { words } = query;
  if (words === undefined) return;
  if (query.isActive !== false) yield* beginning(query, words);
  if (name.rewriteRank === "equal") return;
  for (const active of [true, false]) {
    if (query.isActive !== !active) yield* byMatch(query, words, active);
  }
}

/** Active companies' names that begin with the query, by rank. */
function* beginning(query: IndexQuery, { whole, last }: IndexWords): Generator<Hit> {
  const { index } = query;
  const before = whole.slice(0, -1);
  if (before.includes(-1)) return;
  let left = query.facets.length === 0 ? Number.POSITIVE_INFINITY : MAX_FILTERED;
  const ranges = last.map((range) => index.order.beginning(before, range));
  for (const rank of mergeSorted(ranges, (a, b) => a < b)) {
    if (!index.records.isActive(rank) || left-- === 0) return;
    if (index.isShown(rank) && query.satisfiesFacets(rank))
      yield { rank, match: "begins", group: FIRST_GROUP.active };
  }
}

/** All names of active companies, or of others, that have words which begin as those of the query. */
function* byMatch(query: IndexQuery, words: IndexWords, isActive: boolean): Generator<Hit> {
  const [from, to] = query.bounds(isActive);
  if (from >= to) return;
  const { index } = query;
  const group = (match: NameMatch) => groupOf(match, isActive);
  const starts = query.all(words.starts, isActive);
  if (words.whole.length === 1 && isActive) {
    yield* streamed(starts, "in-order", group("in-order"));
    return;
  }
  const few = taken(starts, MAX_SORTED);
  if (few.length < MAX_SORTED) {
    yield* sortedByMatch(index, words, few, group);
    return;
  }
  const wholeWords = wholeTerms(index, words);
  if (wholeWords !== undefined) {
    const whole = query.all(wholeWords, isActive);
    yield* sortedByMatch(index, words, taken(whole, MAX_SORTED_WHOLE), group);
    yield* streamed(whole, "words", group("words"));
  }
  yield* sortedByMatch(index, words, few, group);
  yield* streamed(starts, "starts", group("starts"));
}

function taken(ranks: Ranks, most: number): number[] {
  const found: number[] = [];
  while (found.length < most) {
    const rank = ranks.next();
    if (rank === -1) break;
    found.push(rank);
  }
  return found;
}

/** A name has every word but the last, which it begins; undefined when no name has one of them. */
function wholeTerms(index: NameIndex, { whole, last }: IndexWords): Term[] | undefined {
  const before = [...new Set(whole.slice(0, -1))];
  if (before.includes(-1)) return undefined;
  return [...before.map((word) => index.wordTerm([{ from: word, to: word + 1 }])), index.wordTerm(last)];
}

const ORDER = ["begins", "in-order", "words", "starts-in-order", "starts"] as const;
type NameMatch = (typeof ORDER)[number];

/** The group of a match; active names that begin with the query share theirs with those found by their order. */
function groupOf(match: NameMatch, isActive: boolean): number {
  return (isActive ? FIRST_GROUP.active : FIRST_GROUP.ended) + ORDER.indexOf(match);
}

/** Names by rank, put in the order of how they fit. */
function* sortedByMatch(
  index: NameIndex,
  words: IndexWords,
  ranks: readonly number[],
  group: (match: NameMatch) => number,
): Generator<Hit> {
  const byMatch = new Map<NameMatch, number[]>(ORDER.map((match) => [match, []]));
  const mayBeWhole = !words.whole.slice(0, -1).includes(-1);
  for (const rank of ranks) byMatch.get(matchOf(index, words, mayBeWhole, rank))?.push(rank);
  for (const [match, fitting] of byMatch) {
    for (const rank of fitting) yield { rank, match, group: group(match) };
  }
}

/** How a name fits that has words which begin as those of the query. */
function matchOf(
  { nameWords }: NameIndex,
  { whole, last, letters, first, starts }: IndexWords,
  mayBeWhole: boolean,
  rank: number,
): NameMatch {
  if (nameWords.isFirstIn(rank, first) && nameWords.beginsWith(rank, letters)) return "begins";
  if (mayBeWhole) {
    if (nameWords.hasInOrder(rank, whole, last)) return "in-order";
    if (nameWords.hasAll(rank, whole, whole.length - 1)) return "words";
  }
  return nameWords.hasStartsInOrder(rank, starts) ? "starts-in-order" : "starts";
}
