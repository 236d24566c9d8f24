import type { NameIndex } from "./index/nameIndex.ts";
import { exactKeys } from "./legalWords.ts";
import { hashOfKey, nameWords } from "./names.ts";
import { normalise } from "./normalise.ts";
import type { NameQuery } from "./query.ts";

/** Many companies can share a name but for the legal form, such as `Jansen`; further ones are left out. */
const MAX_WITH_ONE_KEY = 256;
/** Names that are the query word for word and come first; the words of the query find the others. */
const MAX_WORD_FOR_WORD = 1_000;
/** Kinds of names of one key that are remembered: legal forms, and words written together or apart. */
const MAX_KINDS = 64;
/** The maximum number of names of one key to read: a few milliseconds. */
const MAX_READ = 5_000;

/** A name that equals the query, except for the legal form. */
export interface ExactName {
  readonly rank: number;
  /** The lower, the better; below {@link EXACT_GROUPS}. */
  readonly group: number;
}

const LIKENESSES = 4;
const MAX_KEYS = 4;
export const EXACT_GROUPS = 2 * LIKENESSES * MAX_KEYS;

export interface ExactNames {
  /** Best first. */
  readonly names: readonly ExactName[];
  /** Whether the words of the query find all names that were left out. */
  readonly areAll: boolean;
}

/**
 * The names that are the query, legal form aside, best first: active ones before others, then by how alike the name is,
 * then by which key they share and by rank. If the query names a legal form, likeness comes first.
 * @param accepts whether a name satisfies the rest of the query
 */
export function exactNames(
  index: NameIndex,
  name: NameQuery,
  accepts: (rank: number) => boolean,
): ExactNames {
  const names: ExactName[] = [];
  const counts: KeyCounts[] = [];
  let areAll = true;
  for (const [rank, nth, kind] of withKeys(index, exactKeys(name.normal))) {
    counts[nth] ??= { read: 0, wordForWord: 0, others: 0 };
    const count = counts[nth];
    if (count.read++ >= MAX_READ) {
      areAll = false;
      break;
    }
    if (!accepts(rank)) continue;
    if (kind.normal === name.normal) {
      if (count.wordForWord++ >= MAX_WORD_FOR_WORD) continue;
    } else if (count.others++ >= MAX_WITH_ONE_KEY) {
      kind.isFoundByWords ??= hasEachWord(kind.normal, name.words);
      areAll &&= kind.isFoundByWords;
      continue;
    }
    const ended = index.records.isActive(rank) ? 0 : 1;
    const unlike = likeness(index.records.text(rank), kind.normal, name);
    const place = name.namesLegalForm ? unlike * 2 + ended : ended * LIKENESSES + unlike;
    names.push({ rank, group: place * MAX_KEYS + Math.min(nth, MAX_KEYS - 1) });
  }
  return { names: names.sort((a, b) => a.group - b.group), areAll };
}

/** Whether names may be left out, without reading one. */
export function mayOmitNames(index: NameIndex, { normal }: NameQuery): boolean {
  return exactKeys(normal).some((key) => index.exactKeys.maxWithHash(hashOfKey(key)) > MAX_WITH_ONE_KEY);
}

/** The number of names of one key so far. */
interface KeyCounts {
  read: number;
  wordForWord: number;
  others: number;
}

/** Whether the words of a name begin with those of a query. */
function hasEachWord(normal: string, words: readonly string[]): boolean {
  const own = normal.split(" ");
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/** Common facts of names with the same words. */
interface SameWords {
  readonly words: Uint32Array;
  readonly normal: string;
  /** Whether they have the key. */
  readonly isSame: boolean;
  /** Whether the words of the query find them too, once checked. */
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
      if (kinds.length < MAX_KINDS) kinds.push(kind);
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
