import type { IsActive, Wanted } from "./asked.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { exactKeys } from "./legalWords.ts";
import { hashOfKey, nameWords } from "./names.ts";
import { normalise } from "./normalise.ts";
import type { NameQuery } from "./query.ts";

/** A name can be that of many companies but for the legal form, `Jansen` for one; what is above this is left out. */
const MOST_WITH_ONE_KEY = 256;
/** Of names that are the query word for word so many are first; the words of a query find the others as well. */
const MOST_WORD_FOR_WORD = 1_000;
/** So many kinds of names of one key are remembered: legal forms, and ways to write words together and apart. */
const MOST_KINDS = 64;
/** So many names of one key are looked at, which takes a few milliseconds. */
const MOST_LOOKED_AT = 5_000;

/** A name that is the query. */
export interface ExactName {
  readonly rank: number;
  /** The lower, the better; below {@link EXACT_GROUPS}. */
  readonly group: number;
}

const LIKENESSES = 4;
const MOST_KEYS = 4;
export const EXACT_GROUPS = 2 * LIKENESSES * MOST_KEYS;

/** The names that are the query. */
export interface ExactNames {
  /** Best first. */
  readonly names: readonly ExactName[];
  /** Whether the words of the query find whatever was left out, as there are too many. */
  readonly areAll: boolean;
}

/**
 * The names that are the query, legal form aside, best first: active ones before others, then by how alike the name is,
 * then by which key they share and by rank. Whoever typed a legal form means that form: then the likeness comes first.
 */
export function exactNames(index: NameIndex, wanted: Wanted, query: NameQuery): ExactNames {
  const names: ExactName[] = [];
  const counts: KeyCounts[] = [];
  let areAll = true;
  for (const [rank, nth, name] of withKeys(index, exactKeys(query.normal))) {
    counts[nth] ??= { lookedAt: 0, wordForWord: 0, others: 0 };
    const count = counts[nth];
    if (count.lookedAt++ >= MOST_LOOKED_AT) {
      areAll = false;
      break;
    }
    if (!isWanted(index, wanted.isActive, rank) || !wanted.facets.every((facet) => facet.isOf(rank)))
      continue;
    if (name.normal === query.normal) {
      if (count.wordForWord++ >= MOST_WORD_FOR_WORD) continue;
    } else if (count.others++ >= MOST_WITH_ONE_KEY) {
      name.isFoundByWords ??= hasEachWord(name.normal, query.words);
      areAll &&= name.isFoundByWords;
      continue;
    }
    const ended = index.records.isActive(rank) ? 0 : 1;
    const unlike = likeness(index.records.text(rank), name.normal, query);
    const place = query.namesLegalForm ? unlike * 2 + ended : ended * LIKENESSES + unlike;
    names.push({ rank, group: place * MOST_KEYS + Math.min(nth, MOST_KEYS - 1) });
  }
  return { names: names.sort((a, b) => a.group - b.group), areAll };
}

/** Whether there may be so many names that some are left out; told without looking at one. */
export function mayLeaveOut(index: NameIndex, { normal }: NameQuery): boolean {
  return exactKeys(normal).some((key) => index.exactKeys.mostWithHash(hashOfKey(key)) > MOST_WITH_ONE_KEY);
}

/** How many names of one key there were so far. */
interface KeyCounts {
  lookedAt: number;
  wordForWord: number;
  others: number;
}

/** Whether the words as they are read, without those that are found beside them, begin with those of a query. */
function hasEachWord(normal: string, words: readonly string[]): boolean {
  const own = normal.split(" ");
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

function isWanted(index: NameIndex, isActive: IsActive, rank: number): boolean {
  return isActive === undefined || index.records.isActive(rank) === isActive;
}

/** What names of the same words have in common. */
interface SameWords {
  readonly words: Uint32Array;
  readonly normal: string;
  /** Whether they have the key that was looked for. */
  readonly isSame: boolean;
  /** Whether the words of the query find them too, once that was looked at. */
  isFoundByWords?: boolean;
}

/** The names that have one of some exact keys, each once with the place of the key, by rank for each. */
export function* withKeys(
  index: NameIndex,
  keys: readonly string[],
): Generator<readonly [rank: number, nth: number, name: SameWords]> {
  const given = keys.length === 1 ? undefined : new Set<number>();
  for (const [nth, key] of keys.entries()) {
    for (const [rank, name] of withKey(index, key)) {
      if (given?.has(rank) === true) continue;
      given?.add(rank);
      yield [rank, nth, name];
    }
  }
}

/** Names of the same words are read once: of one key there are few kinds, so a kind is looked for among those that came. */
function* withKey(index: NameIndex, key: string): Generator<readonly [rank: number, name: SameWords]> {
  const kinds: SameWords[] = [];
  for (const rank of index.exactKeys.withHash(hashOfKey(key))) {
    if (!index.isShown(rank)) continue;
    const words = index.nameWords.read(rank);
    let kind = kinds.find((one) => areSame(one.words, words));
    if (kind === undefined) {
      const normal = normalise(index.records.text(rank));
      kind = { words, normal, isSame: exactKeys(normal).includes(key) };
      if (kinds.length < MOST_KINDS) kinds.push(kind);
    }
    if (kind.isSame) yield [rank, kind];
  }
}

function areSame(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false;
  for (let nth = 0; nth < one.length; nth++) if (one[nth] !== other[nth]) return false;
  return true;
}

/** 0: letter by letter; 1: the same when normalised; 2: has all words; 3: the same but for the legal form. */
function likeness(name: string, normal: string, query: NameQuery): number {
  if (name.toLowerCase() === query.typed.trim().toLowerCase()) return 0;
  if (normal === query.normal) return 1;
  return hasWords(name, query.words) ? 2 : 3;
}

/** Whether a name has, for each of the words, one that starts with it. */
export function hasWords(name: string, words: readonly string[]): boolean {
  const own = [...nameWords(name)];
  return words.every((word) => own.some((one) => one.startsWith(word)));
}
