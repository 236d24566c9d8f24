import { type AskedWords, askedWords, ownNames, rankBounds, type Wanted, withFacets } from "./asked.ts";
import { EXACT_GROUPS, exactNames } from "./exactNames.ts";
import type { Ranks, Term } from "./index/conjunction.ts";
import type { KvkRange } from "./index/kvkNumbers.ts";
import type { NameIndex } from "./index/nameIndex.ts";
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
  /** The query as it was found by; absent where there was none. */
  readonly query?: NameQuery | undefined;
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

/** Up to so many names are put in order by the way in which they fit; of more, only the first ones. */
const MOST_SORTED = 500;
/** Among so many names with the typed words, those that have them in order come first. */
const LOOKED_THROUGH = 200;
/** So many names that begin with the query are looked at for what is asked beside it; further ones come by rank. */
const MOST_FILTERED = 1_000;
/** From so many digits on, a number is likelier meant as a KVK number than as part of a name. */
const LIKELY_KVK_DIGITS = 5;

/**
 * The companies that satisfy what is wanted, each once, best first:
 * 1. those with exactly this name, legal form aside;
 * 2. active companies before all others, and among each of the two names that
 *    a. begin with the query, b. have its words in order, the last one begun, c. have them in any order, d. have words that begin
 *    as its words do, in order, or e. in any order; each by rank (see index/rankClasses.ts).
 * Digits find KVK numbers that begin with them as well. What restates a query comes behind hits of the query itself that fit as well.
 */
export function* ranked(index: NameIndex, wanted: Wanted): Generator<FoundHit> {
  const { query } = wanted;
  const seen = new Set<number>();
  for (const hit of hits(index, wanted)) {
    if (!index.records.isOnly(hit.rank) || query !== undefined) {
      const own = index.records.ownRank(hit.rank);
      if (seen.has(own)) continue;
      seen.add(own);
    }
    yield { ...hit, group: groupFor(hit.group, query), index, query };
  }
}

/** Where what restates a query comes: `alike`, behind names of the query itself that fit by a kind better, exact names aside. */
function groupFor(group: number, query: NameQuery | undefined): number {
  if (query?.restates === undefined || query.restates === "equal") return group;
  const { likelier, active, ended } = FIRST_GROUP;
  if (group < active) return group + 0.5;
  return query.restates === "likelier" && group < ended ? likelier + group - active : group + 1.5;
}

function* hits(index: NameIndex, wanted: Wanted): Generator<Hit> {
  const { query } = wanted;
  if (query === undefined) {
    yield* streamed(ownNames(index, wanted), "criteria", FIRST_GROUP.criteria);
    return;
  }
  const digits = digitsOf(query);
  const likelyNumber = digits !== undefined && digits.length >= LIKELY_KVK_DIGITS;
  if (likelyNumber) yield* numbered(index, wanted, digits, FIRST_GROUP.likelyNumber);
  yield* named(index, wanted, query);
  if (digits !== undefined && !likelyNumber) yield* numbered(index, wanted, digits, FIRST_GROUP.number);
}

function* streamed(ranks: Ranks, match: Match, group: number): Generator<Hit> {
  for (let rank = ranks.next(); rank !== -1; rank = ranks.next()) yield { rank, match, group };
}

/** The KVK numbers that begin with some digits. */
export function numbersFrom(digits: string): KvkRange {
  return [Number(digits.padEnd(8, "0")), Number(digits.padEnd(8, "9"))];
}

/** Companies whose KVK number begins with the digits: in the order of the numbers, or by rank where more is asked. */
function* numbered(
  index: NameIndex,
  { facets, isActive }: Wanted,
  digits: string,
  firstGroup: number,
): Generator<Hit> {
  for (const active of [true, false]) {
    if (isActive === !active) continue;
    const group = firstGroup + (active ? 0 : 1);
    const all = index.numbers.within(numbersFrom(digits), active);
    if (facets.length === 0) {
      for (const rank of all) {
        if (index.isShown(rank)) yield { rank, match: "number", group, isByNumber: true };
      }
      continue;
    }
    for (const rank of withFacets(index, all, { facets, isActive: active })) {
      yield { rank, match: "number", group };
    }
  }
}

function* named(index: NameIndex, wanted: Wanted, query: NameQuery): Generator<Hit> {
  if (query.isRespaced !== true) {
    for (const { rank, group } of exactNames(index, wanted, query).names) {
      yield { rank, match: "exact", group: FIRST_GROUP.exact + group };
    }
  }
  const asked = askedWords(index, query);
  if (asked === undefined) return;
  if (query.restates === "equal") {
    if (wanted.isActive !== false) yield* beginning(index, wanted, asked);
    return;
  }
  for (const active of [true, false]) {
    if (wanted.isActive === !active) continue;
    if (active) yield* beginning(index, wanted, asked);
    yield* byMatch(index, asked, wanted.facets, active);
  }
}

/** Active companies' names that begin with the query, by rank. */
function* beginning(index: NameIndex, { facets }: Wanted, { whole, last }: AskedWords): Generator<Hit> {
  const before = whole.slice(0, -1);
  if (before.includes(-1)) return;
  let left = facets.length === 0 ? Number.POSITIVE_INFINITY : MOST_FILTERED;
  for (const rank of merged(last.map((range) => index.order.beginning(before, range)))) {
    if (!index.records.isActive(rank) || left-- === 0) return;
    if (index.isShown(rank) && facets.every((facet) => facet.isOf(rank)))
      yield { rank, match: "begins", group: FIRST_GROUP.active };
  }
}

/** Ascending numbers of several lists as one. */
function* merged(lists: readonly Generator<number>[]): Generator<number> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) {
    yield* only;
    return;
  }
  const heads = lists.map((list) => ({ list, head: list.next() }));
  for (;;) {
    let least: (typeof heads)[number] | undefined;
    for (const one of heads) {
      if (one.head.done === true) continue;
      if (least === undefined || one.head.value < (least.head.value ?? 0)) least = one;
    }
    if (least === undefined || least.head.done === true) return;
    yield least.head.value;
    least.head = least.list.next();
  }
}

/** All names of active companies, or of others, that have words which begin as those of the query. */
function* byMatch(
  index: NameIndex,
  asked: AskedWords,
  facets: readonly Term[],
  isActive: boolean,
): Generator<Hit> {
  const [from, to] = rankBounds(index, isActive);
  if (from >= to) return;
  const group = (match: (typeof ORDER)[number]) => groupOf(match, isActive);
  const starts = index.all([...asked.starts, ...facets], from, to);
  if (asked.whole.length === 1 && isActive) {
    yield* streamed(starts, "in-order", group("in-order"));
    return;
  }
  const few = taken(starts, MOST_SORTED);
  if (few.length < MOST_SORTED) {
    yield* sortedByMatch(index, asked, few, group);
    return;
  }
  const wholeWords = wholeTerms(index, asked);
  if (wholeWords !== undefined) {
    const words = index.all([...wholeWords, ...facets], from, to);
    yield* sortedByMatch(index, asked, taken(words, LOOKED_THROUGH), group);
    yield* streamed(words, "words", group("words"));
  }
  yield* sortedByMatch(index, asked, few, group);
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
function wholeTerms(index: NameIndex, { whole, last }: AskedWords): Term[] | undefined {
  const before = [...new Set(whole.slice(0, -1))];
  if (before.includes(-1)) return undefined;
  return [...before.map((word) => index.wordTerm([{ from: word, to: word + 1 }])), index.wordTerm(last)];
}

const ORDER = ["begins", "in-order", "words", "starts-in-order", "starts"] as const;

/** The group of a match; active names that begin with the query share theirs with those found by their order. */
function groupOf(match: (typeof ORDER)[number], isActive: boolean): number {
  return (isActive ? FIRST_GROUP.active : FIRST_GROUP.ended) + ORDER.indexOf(match);
}

/** Names by rank, put in the order of how they fit. */
function* sortedByMatch(
  index: NameIndex,
  asked: AskedWords,
  ranks: readonly number[],
  group: (match: (typeof ORDER)[number]) => number,
): Generator<Hit> {
  const places: number[][] = ORDER.map(() => []);
  const mayBeWhole = !asked.whole.slice(0, -1).includes(-1);
  for (const rank of ranks) places[matchOf(index, asked, mayBeWhole, rank)]?.push(rank);
  for (const [nth, match] of ORDER.entries()) {
    for (const rank of places[nth] ?? []) yield { rank, match, group: group(match) };
  }
}

/** How a name fits that has words which begin as those of the query, by its place in {@link ORDER}. */
function matchOf(
  { nameWords }: NameIndex,
  { whole, last, letters, first, starts }: AskedWords,
  mayBeWhole: boolean,
  rank: number,
): number {
  if (nameWords.isFirstIn(rank, first) && nameWords.beginsWith(rank, letters)) return BEGINS;
  if (mayBeWhole) {
    if (nameWords.hasInOrder(rank, whole, last)) return IN_ORDER;
    if (nameWords.hasAll(rank, whole, whole.length - 1)) return WORDS;
  }
  return nameWords.hasStartsInOrder(rank, starts) ? STARTS_IN_ORDER : STARTS;
}

const [BEGINS, IN_ORDER, WORDS, STARTS_IN_ORDER, STARTS] = [0, 1, 2, 3, 4] as const;
