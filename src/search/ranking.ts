import { all, type Condition, type Vocabulary } from "./condition.ts";
import { SIGNS } from "./facets.ts";
import { exactKey } from "./legalWords.ts";
import { exactHash, nameWords } from "./names.ts";
import { type Hit, hitName, type IsActive, isActiveHit, type NameTables, type Range } from "./nameTables.ts";
import { normalise, squeeze } from "./normalise.ts";
import { digitsOf, type NameQuery, nameConditions } from "./query.ts";

/** What hits must satisfy. */
export interface Wanted {
  /** Undefined: any name. */
  readonly query: NameQuery | undefined;
  /** What is asked beside names: every one must hold. */
  readonly facets: readonly Condition[];
  /** Undefined: both. */
  readonly isActive: IsActive;
}

/** Among so many names that begin with the first word, those that begin with the whole query come first. */
const LOOKED_THROUGH = 200;
/** So many hits are read at once to be put in order. */
const MOST_FEW = 40;
/** Fewer companies than these are looked up one by one. */
const FEW_NUMBERS = 1_000;
/** From so many digits on, a number is likelier meant as a KVK number than as part of a name. */
const LIKELY_KVK_DIGITS = 5;

/**
 * The companies that satisfy what is wanted, each once, best first:
 * 1. those with exactly this name, legal form aside;
 * 2. active companies before all others, and among each of the two
 *    a. names that begin with the query, b. names with its words, c. names with words that begin as its words do,
 *    each in the order of rank (see names.ts).
 * Digits find KVK numbers that begin with them as well.
 */
export function* ranked(tables: NameTables, wanted: Wanted, vocabulary: Vocabulary): Generator<Hit> {
  const seen = new Set<number>();
  for (const hit of hits(tables, wanted, vocabulary)) {
    if (seen.has(hit[1])) continue;
    seen.add(hit[1]);
    yield hit;
  }
}

function* hits(tables: NameTables, wanted: Wanted, vocabulary: Vocabulary): Generator<Hit> {
  const { query } = wanted;
  if (query === undefined) {
    yield* tables.matching(ownNames(wanted, vocabulary), wanted.isActive);
    return;
  }
  const digits = digitsOf(query);
  const likelyNumber = digits !== undefined && digits.length >= LIKELY_KVK_DIGITS;
  if (likelyNumber) yield* numbered(tables, wanted, digits, vocabulary);
  yield* named(tables, wanted, query, vocabulary);
  if (digits !== undefined && !likelyNumber) yield* numbered(tables, wanted, digits, vocabulary);
}

function* named(
  tables: NameTables,
  wanted: Wanted,
  query: NameQuery,
  vocabulary: Vocabulary,
): Generator<Hit> {
  yield* exact(tables, wanted, query);
  const { first, words, starts, unasked } = nameConditions(query, vocabulary);
  const hits = (condition: Condition, isActive: IsActive) =>
    withWords(tables.matching(all([condition, ...wanted.facets]), isActive), unasked);

  // Most queries fit few names. One look at all of those is cheaper than a look for each kind.
  const mayBeMany = (starts?.names ?? 0) > MOST_FEW;
  if (mayBeMany && wanted.isActive !== false) yield* beginningFirst(hits(first, true), query);
  const few = allIfFew(hits(starts, wanted.isActive));
  if (few !== undefined) {
    yield* inOrder(few, query);
    return;
  }
  if (wanted.isActive !== false) {
    yield* hits(words, true);
    if (starts?.text !== words?.text) yield* hits(starts, true);
  }
  if (wanted.isActive !== true) {
    yield* beginningFirst(hits(first, false), query);
    yield* hits(words, false);
    if (starts?.text !== words?.text) yield* hits(starts, false);
  }
}

/** The hits, unless there are more than a few. */
function allIfFew(hits: Iterable<Hit>): Hit[] | undefined {
  const few: Hit[] = [];
  for (const hit of hits) {
    if (few.length === MOST_FEW) return undefined;
    few.push(hit);
  }
  return few;
}

/** Hits in the order of rank, put in the order of kind that `ranked` promises. */
function inOrder(hits: readonly Hit[], query: NameQuery): readonly Hit[] {
  if (hits.length < 2) return hits;
  const place = (hit: Hit) => (isActiveHit(hit) ? 0 : 4) + kindOf(hitName(hit), query);
  return hits
    .map((hit) => ({ hit, place: place(hit) }))
    .sort((a, b) => a.place - b.place)
    .map(({ hit }) => hit);
}

/** 0: begins with the query; 1: begins with its first word and has the others; 2: has its words; 3: their starts. */
function kindOf(name: string, { normal, words }: NameQuery): 0 | 1 | 2 | 3 {
  const ownNormal = normalise(name);
  const own = nameWords(name, ownNormal);
  const [first = ""] = words;
  const before = words.slice(0, -1);
  if (!before.every((word) => own.has(word))) return 3;
  if (squeeze(ownNormal).startsWith(squeeze(normal))) return 0;
  return own.has(SIGNS.first + first) ? 1 : 2;
}

/** Companies whose KVK number begins with the digits. */
function* numbered(
  tables: NameTables,
  wanted: Wanted,
  digits: string,
  vocabulary: Vocabulary,
): Generator<Hit> {
  yield* numbersOf(tables, wanted, numbersFrom(digits), vocabulary);
}

/**
 * Companies with such KVK numbers. Where few have one they are looked up one by one, as what is asked beside it may fit a
 * million names of others, all of which one statement would walk; where many have one, names that fit are soon found.
 */
export function* numbersOf(
  tables: NameTables,
  wanted: Wanted,
  range: Range,
  vocabulary: Vocabulary,
): Generator<Hit> {
  for (const isActive of [true, false]) {
    if (wanted.isActive === !isActive) continue;
    if (wanted.facets.length === 0) yield* tables.numbers(isActive, range);
    else if (areFew(tables, range, isActive)) yield* fewNumbers(tables, wanted, range, isActive);
    else yield* tables.matching(ownNames(wanted, vocabulary), isActive, range);
  }
}

/** Whether few companies have such KVK numbers, however many numbers there could be. */
export function areFew(tables: NameTables, range: Range, isActive: boolean): boolean {
  return tables.countNumbers(isActive, range, FEW_NUMBERS) < FEW_NUMBERS;
}

function fewNumbers(tables: NameTables, { facets }: Wanted, range: Range, isActive: boolean): Hit[] {
  const condition = all(facets);
  const hits: Hit[] = [];
  for (const [, kvk, text, name, ...rest] of tables.numbers(isActive, range)) {
    const rank = tables.rankOfOwnName(exactHash(normalise(name)), kvk);
    if (rank !== undefined && tables.isMatch(condition, rank)) hits.push([rank, kvk, text, name, ...rest]);
  }
  return hits.sort(([a], [b]) => (a ?? 0) - (b ?? 0));
}

/** Names that begin with the whole query before those that only begin with its first word. */
function* beginningFirst(hits: Iterable<Hit>, query: NameQuery): Generator<Hit> {
  const beginning = squeeze(query.normal);
  const others: Hit[] = [];
  let looked = 0;
  for (const hit of hits) {
    looked++;
    if (looked > LOOKED_THROUGH) yield* others.splice(0);
    const isLater = looked <= LOOKED_THROUGH && query.words.length > 1;
    if (isLater && !squeeze(normalise(hitName(hit))).startsWith(beginning)) others.push(hit);
    else yield hit;
  }
  yield* others;
}

/** Hits whose name has these words too. */
function* withWords(hits: Iterable<Hit>, words: readonly string[]): Generator<Hit> {
  for (const hit of hits) {
    if (words.length === 0 || hasWords(hitName(hit), words)) yield hit;
  }
}

/** Whether a name has, for each of the words, one that starts with it. */
export function hasWords(name: string, words: readonly string[]): boolean {
  const own = [...nameWords(name)];
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/** The KVK numbers that begin with some digits. */
export function numbersFrom(digits: string): Range {
  return [Number(digits.padEnd(8, "0")), Number(digits.padEnd(8, "9"))];
}

/** Every company that satisfies what is asked beside names, once. */
export function ownNames({ facets }: Wanted, vocabulary: Vocabulary): Condition {
  return all([...facets, vocabulary.word(SIGNS.own)]);
}

/**
 * Companies whose name is the query, legal form aside, best first: active ones before others, then by how alike the
 * name is. Whoever typed a legal form means that form: then the likeness comes first.
 */
export function exact(tables: NameTables, wanted: Wanted, query: NameQuery): Hit[] {
  const key = exactKey(query.normal);
  return tables
    .withHash(exactHash(query.normal))
    .filter((hit) => exactKey(normalise(hitName(hit))) === key)
    .filter((hit) => wanted.isActive === undefined || isActiveHit(hit) === wanted.isActive)
    .filter((hit) => wanted.facets.length === 0 || tables.isMatch(all(wanted.facets), hit[0] ?? 0))
    .map((hit) => ({ hit, likeness: likeness(hitName(hit), query) }))
    .sort(
      query.namesLegalForm
        ? (a, b) => a.likeness - b.likeness || compareActive(a.hit, b.hit)
        : (a, b) => compareActive(a.hit, b.hit) || a.likeness - b.likeness,
    )
    .map(({ hit }) => hit);
}

function compareActive(a: Hit, b: Hit): number {
  return Number(isActiveHit(b)) - Number(isActiveHit(a));
}

/** 0: letter by letter; 1: the same when normalised; 2: has all words; 3: the same but for the legal form. */
function likeness(name: string, query: NameQuery): number {
  if (name.toLowerCase() === query.typed.trim().toLowerCase()) return 0;
  if (normalise(name) === query.normal) return 1;
  return hasWords(name, query.words) ? 2 : 3;
}
