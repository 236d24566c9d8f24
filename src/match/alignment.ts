import { areCutParts, isCutOff, isWithoutVowels, runsFrom } from "../search/abbreviations.ts";
import { codeWord } from "../search/index/dictionary.ts";
import { isInitial } from "../search/nameText.ts";
import { STOP_WORDS, soundAlikes, spellingVariants } from "../search/spellingVariants.ts";
import { editDistance } from "./editDistance.ts";
import { isFamilyWord, isNumeral } from "./familyWords.ts";
import type { NameParts } from "./nameParts.ts";

/**
 * How words of a query relate to words of a name. `joined`: the same letters with other spaces. `variant`: a synonym or
 * a customary abbreviation. `short`: one is a prefix of the other, written with a dot or cut off. `initials`: the first
 * letters of words. `oneEdit` and `twoEdits`: typos.
 */
export const RELATIONS = ["equal", "joined", "variant", "short", "initials", "oneEdit", "twoEdits"] as const;
export type Relation = (typeof RELATIONS)[number];

/** Some words of a query that stand for some words of a name, by position. */
export interface WordMatch {
  readonly relation: Relation;
  readonly query: readonly number[];
  readonly name: readonly number[];
  /** Whether the words may as well be others: an abbreviation without a dot. */
  readonly isVague?: boolean;
}

/** Every word of a query and of a name: matched once, or missing in the other. */
export interface Alignment {
  readonly matches: readonly WordMatch[];
  readonly unmatchedQuery: readonly number[];
  readonly unmatchedName: readonly number[];
  /** Whether the matched words have the same order. */
  readonly isInOrder: boolean;
}

/** A query of names, with what is computed once for all candidates. */
export interface AlignableQuery extends NameParts {
  /** Whether the last word may be cut off. */
  readonly isCut: boolean;
  /** Whether it is as long as a usual field of a file, so that many words may be cut off. */
  readonly isFieldWidth: boolean;
  readonly variants: readonly WordVariant[];
}

interface WordVariant {
  readonly position: number;
  readonly count: number;
  readonly words: readonly string[];
}

/** Whether a word is so much rarer than another one that it is probably short for it. */
export type IsRarer = (short: string, long: string) => boolean;

/** Names of this length or more may have been cut by a form or a file. */
const MIN_CUT_LENGTH = 24;
/** If a single letter is left of the last word, which may also be a name of its own. */
const MIN_LETTER_CUT_LENGTH = 30;
/** Usual lengths of fields, in letters. */
const FIELD_WIDTHS = [30, 32, 35, 40, 50, 60];
const MIN_ONE_EDIT_LENGTH = 4;
const MIN_TWO_EDITS_LENGTH = 8;
const MIN_SHORT_LENGTH = 2;

/** @param text the name as the caller sent it */
export function alignableQuery(parts: NameParts, text: string): AlignableQuery {
  const minLength = parts.words.at(-1)?.length === 1 ? MIN_LETTER_CUT_LENGTH : MIN_CUT_LENGTH;
  return {
    ...parts,
    isCut: text.length >= minLength && !parts.endsWithForm,
    // A space at the end is lost.
    isFieldWidth: FIELD_WIDTHS.some((width) => text.length === width || text.length === width - 1),
    variants: [...spellingVariants(parts.words)],
  };
}

/** Pairs each word of a query with at most one word of a name: the closest relations first. */
export function align(query: AlignableQuery, name: NameParts, isRarer: IsRarer): Alignment {
  const pairing = new Pairing(query.words, name.words);
  pairEqual(pairing);
  if (pairing.isOpen) pairJoined(pairing);
  if (pairing.isOpen) pairVariants(pairing, query, name);
  if (pairing.isOpen) pairParts(pairing, query, pairing.name);
  if (pairing.isOpen) pairParts(pairing, name, pairing.query);
  if (pairing.isOpen) pairShort(pairing, query, name);
  if (pairing.isOpen) pairTypos(pairing);
  if (pairing.isOpen) pairVague(pairing, isRarer);
  if (pairing.isOpen) pairInitials(pairing);
  return pairing.result();
}

class Pairing {
  readonly query: readonly string[];
  readonly name: readonly string[];
  readonly #matches: WordMatch[] = [];
  readonly #queryUsed: boolean[];
  readonly #nameUsed: boolean[];

  constructor(query: readonly string[], name: readonly string[]) {
    this.query = query;
    this.name = name;
    this.#queryUsed = query.map(() => false);
    this.#nameUsed = name.map(() => false);
  }

  /** Whether both sides have unmatched words. */
  get isOpen(): boolean {
    return this.#queryUsed.includes(false) && this.#nameUsed.includes(false);
  }

  get freeQuery(): number[] {
    return this.#queryUsed.flatMap((used, at) => (used ? [] : [at]));
  }

  get freeName(): number[] {
    return this.#nameUsed.flatMap((used, at) => (used ? [] : [at]));
  }

  areFree(query: readonly number[], name: readonly number[]): boolean {
    return (
      query.every((at) => this.#queryUsed[at] === false) && name.every((at) => this.#nameUsed[at] === false)
    );
  }

  add(relation: Relation, query: readonly number[], name: readonly number[], isVague = false): void {
    this.#matches.push({ relation, query, name, ...(isVague && { isVague }) });
    for (const at of query) this.#queryUsed[at] = true;
    for (const at of name) this.#nameUsed[at] = true;
  }

  result(): Alignment {
    const matches = this.#matches.sort((a, b) => (a.query[0] ?? 0) - (b.query[0] ?? 0));
    const isInOrder = matches.every(
      ({ name }, nth) => nth === 0 || (name[0] ?? 0) > (matches[nth - 1]?.name[0] ?? 0),
    );
    return { matches, unmatchedQuery: this.freeQuery, unmatchedName: this.freeName, isInOrder };
  }
}

function pairEqual(pairing: Pairing): void {
  for (const [at, word] of pairing.query.entries()) {
    // The same position first: names repeat words, such as `de`.
    const other = [at, ...pairing.freeName].find(
      (to) => pairing.name[to] === word && pairing.areFree([], [to]),
    );
    if (other !== undefined) pairing.add("equal", [at], [other]);
  }
}

/** Pairs `postnl` with `post nl`, either way. */
function pairJoined(pairing: Pairing): void {
  for (const at of pairing.freeQuery) {
    for (const to of pairing.freeName) {
      const [word = "", other = ""] = [pairing.query[at], pairing.name[to]];
      const apart = runThatEquals(pairing.name, to, word);
      const joined = runThatEquals(pairing.query, at, other);
      if (apart.length > 1 && pairing.areFree([at], apart)) pairing.add("joined", [at], apart);
      else if (joined.length > 1 && pairing.areFree(joined, [to])) pairing.add("joined", joined, [to]);
    }
  }
}

/**
 * Returns the positions of adjacent words, from `from` on, whose letters are those of `word`; empty if there are none.
 * `1-2` is not `12`.
 */
function runThatEquals(words: readonly string[], from: number, word: string): number[] {
  let rest = /^[0-9]+$/.test(word) ? "" : word;
  const run: number[] = [];
  for (let at = from; at < words.length && rest !== "" && rest.startsWith(words[at] ?? ""); at++) {
    rest = rest.slice(words[at]?.length);
    run.push(at);
  }
  return rest === "" ? run : [];
}

function pairVariants(pairing: Pairing, query: AlignableQuery, name: NameParts): void {
  for (const { position, count, words } of query.variants) {
    const replaced = Array.from({ length: count }, (_, nth) => position + nth);
    if (!pairing.areFree(replaced, [])) continue;
    const first = pairing.freeName.find((to) => words.every((word, nth) => name.words[to + nth] === word));
    if (first === undefined) continue;
    const positions = words.map((_, nth) => first + nth);
    if (pairing.areFree([], positions)) pairing.add("variant", replaced, positions);
  }
}

/** Pairs an abbreviation with a longer word: `kon.` with `koninklijke`, and a last word that was cut off. */
function pairShort(pairing: Pairing, query: AlignableQuery, name: NameParts): void {
  for (const at of pairing.freeQuery) {
    const word = pairing.query[at] ?? "";
    const mayBeShort = query.dotted.has(word) || (query.isCut && at === pairing.query.length - 1);
    const found = pairing.freeName.find((to) => {
      const other = pairing.name[to] ?? "";
      if (mayBeShort && isShortFor(word, other, query.dotted.has(word))) return true;
      return name.dotted.has(other) && isShortFor(other, word, true);
    });
    if (found !== undefined) pairing.add("short", [at], [found]);
  }
}

/** @param isDotted such an abbreviation has at least two letters; a word that was cut off may have one */
function isShortFor(short: string, long: string, isDotted: boolean): boolean {
  return (
    long.startsWith(short) &&
    long.length > short.length &&
    (!isDotted || short.length >= MIN_SHORT_LENGTH) &&
    !isNumeral(long)
  );
}

/**
 * Pairs the parts of a compound among `shorts`, one of them with a dot, with the compound: `transp.bedr.` with
 * `transportbedrijf`.
 */
function pairParts(pairing: Pairing, shorts: NameParts, longs: readonly string[]): void {
  const isQuery = longs === pairing.name;
  for (const run of shorts.words.flatMap((_, at) => runsFrom([...shorts.words.keys()], at))) {
    const parts = run.map((at) => shorts.words[at] ?? "");
    if (!parts.some((part) => shorts.dotted.has(part))) continue;
    const to = longs.findIndex((word) => areCutParts(parts, word, shorts.dotted.has(parts.at(-1) ?? "")));
    const [query, name] = isQuery ? [run, [to]] : [[to], run];
    if (to !== -1 && pairing.areFree(query, name)) pairing.add("short", query, name);
  }
}

/** Pairs words that may be short for each other without a dot: `grp` with `groep`, `devel` with `development`. */
function pairVague(pairing: Pairing, isRarer: IsRarer): void {
  const isShort = (short: string, long: string) =>
    (isCutOff(short, long) || isWithoutVowels(short, long)) && isRarer(short, long);
  for (const at of pairing.freeQuery) {
    const word = pairing.query[at] ?? "";
    const found = pairing.freeName.find((to) => {
      const other = pairing.name[to] ?? "";
      return isShort(word, other) || isShort(other, word);
    });
    if (found !== undefined) pairing.add("short", [at], [found], true);
  }
}

function pairTypos(pairing: Pairing): void {
  const found: { at: number; to: number; edits: number }[] = [];
  for (const at of pairing.freeQuery) {
    for (const to of pairing.freeName) {
      const edits = typos(pairing.query[at] ?? "", pairing.name[to] ?? "");
      if (edits !== undefined) found.push({ at, to, edits });
    }
  }
  for (const { at, to, edits } of found.sort((a, b) => a.edits - b.edits)) {
    if (pairing.areFree([at], [to])) pairing.add(edits === 1 ? "oneEdit" : "twoEdits", [at], [to]);
  }
}

/**
 * Returns 1 or 2 if one word may be a misspelling of the other. Digits are never misspelled, and `Beheer` is not
 * `Beheers` misspelled.
 */
function typos(word: string, other: string): 1 | 2 | undefined {
  if (isFamilyWord(word)) return undefined;
  const [one, two] = [codeWord(word), codeWord(other)];
  if (STOP_WORDS.has(other) && one.length > 1 && editDistance(one, two, 1) === 1) return 1;
  const length = Math.max(one.length, two.length);
  if (length < MIN_ONE_EDIT_LENGTH || /[0-9]/.test(one) || /[0-9]/.test(two)) return undefined;
  const limit = length >= MIN_TWO_EDITS_LENGTH ? 2 : 1;
  const edits = editDistance(one, two, limit);
  if (edits <= 1) return 1;
  if (soundAlikes(word).includes(other)) return 1;
  return edits <= limit ? 2 : undefined;
}

/** Pairs `j` with `jan`, and `abc` with `Amsterdam Bouw Combinatie`. */
function pairInitials(pairing: Pairing): void {
  for (const at of pairing.freeQuery) {
    const word = pairing.query[at] ?? "";
    const found = pairing.freeName.find((to) => areInitialAndWord(word, pairing.name[to] ?? ""));
    if (found !== undefined) pairing.add("initials", [at], [found]);
  }
  pairAcronym(pairing, pairing.query, pairing.name, (at, run) => pairing.add("initials", [at], run));
  pairAcronym(pairing, pairing.name, pairing.query, (at, run) => pairing.add("initials", run, [at]));
}

function areInitialAndWord(one: string, other: string): boolean {
  return one[0] === other[0] && isInitial(one) !== isInitial(other) && !/[0-9]/.test(one + other);
}

const MIN_ACRONYM = 3;

/** Pairs an acronym among `shorts` with all words of `longs`. */
function pairAcronym(
  pairing: Pairing,
  shorts: readonly string[],
  longs: readonly string[],
  add: (at: number, run: readonly number[]) => void,
): void {
  if (longs.length < MIN_ACRONYM) return;
  const isQuery = shorts === pairing.query;
  const run = longs.map((_, at) => at);
  if (!(isQuery ? pairing.areFree([], run) : pairing.areFree(run, []))) return;
  const initials = longs.map((word) => word[0]).join("");
  const at = shorts.indexOf(initials);
  if (at !== -1 && (isQuery ? pairing.areFree([at], []) : pairing.areFree([], [at]))) add(at, run);
}
