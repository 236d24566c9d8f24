/**
 * Names that equal a query. An exact key is a name without its legal form and spaces; the index has the names of each
 * key.
 */
import type { NameIndex } from "./index/nameIndex.ts";
import { hashOfKey, nameWords } from "./indexedNames.ts";
import { exactKeys } from "./legalFormWords.ts";
import { normalise } from "./normalise.ts";
import type { NameQuery } from "./query.ts";
import { STOP_WORDS } from "./spellingVariants.ts";

/** Many companies share a name except for the legal form, such as `Jansen`; further ones are omitted. */
const MAX_PER_KEY = 256;
/** The maximum number of names that equal the query word for word. A word search finds further ones. */
const MAX_WORD_FOR_WORD = 1_000;
/** The maximum number of cached word sequences with one key. They differ by legal form and spacing. */
const MAX_SEQUENCES = 64;
/** The maximum number of names of one key to read: a few milliseconds. */
const MAX_READ = 5_000;

/** A name that equals the query, except for the legal form. */
export interface ExactName {
  readonly rank: number;
  /** Lower is better; below {@link EXACT_GROUPS}. */
  readonly group: number;
}

const SIMILARITY_LEVELS = 4;
const MAX_KEYS = 4;
export const EXACT_GROUPS = 2 * SIMILARITY_LEVELS * MAX_KEYS;

export interface ExactNames {
  /** Best first. */
  readonly names: readonly ExactName[];
  /** Whether a word search finds all omitted names. */
  readonly isComplete: boolean;
}

/**
 * Returns the names that equal the query, except for the legal form, best first: active companies first, then by
 * similarity, key and rank. If the query contains a legal form, similarity comes first.
 * @param accepts whether a name matches the rest of the query
 */
export function exactNames(
  index: NameIndex,
  name: NameQuery,
  accepts: (rank: number) => boolean,
): ExactNames {
  const names: ExactName[] = [];
  const counts: KeyCounts[] = [];
  let isComplete = true;
  for (const [rank, keyIndex, sequence] of namesWithKeys(index, keysOf(name))) {
    counts[keyIndex] ??= { read: 0, wordForWord: 0, others: 0 };
    const count = counts[keyIndex];
    if (count.read++ >= MAX_READ) {
      isComplete = false;
      break;
    }
    if (!accepts(rank)) continue;
    if (sequence.normal === name.normal) {
      if (count.wordForWord++ >= MAX_WORD_FOR_WORD) continue;
    } else if (count.others++ >= MAX_PER_KEY) {
      sequence.isFoundByWords ??= hasEachWord(sequence.normal, name.words);
      isComplete &&= sequence.isFoundByWords;
      continue;
    }
    const inactive = index.records.isActive(rank) ? 0 : 1;
    const distance = difference(index.records.text(rank), sequence.normal, name);
    const order = name.hasLegalForm ? distance * 2 + inactive : inactive * SIMILARITY_LEVELS + distance;
    names.push({ rank, group: order * MAX_KEYS + Math.min(keyIndex, MAX_KEYS - 1) });
  }
  return { names: names.sort((a, b) => a.group - b.group), isComplete };
}

/** The keys of the names that equal a query, and of names with its first small words at the end: `Zwarte Kat, De`. */
function keysOf({ normal, words }: NameQuery): readonly string[] {
  const start = words.findIndex((word) => !STOP_WORDS.has(word));
  const turned = [...words.slice(start), ...words.slice(0, Math.max(start, 0))].join(" ");
  const texts = start < 1 ? [normal] : [normal, turned];
  return [...new Set(texts.flatMap((text) => exactKeys(text)))];
}

/** Whether {@link exactNames} may omit names. Reads no names. */
export function mayOmitNames(index: NameIndex, name: NameQuery): boolean {
  return keysOf(name).some((key) => index.exactKeys.countUpperBound(hashOfKey(key)) > MAX_PER_KEY);
}

/** The number of names with one key so far. */
interface KeyCounts {
  read: number;
  wordForWord: number;
  others: number;
}

/** Whether every word of a query is a prefix of a word of a name. */
function hasEachWord(normal: string, words: readonly string[]): boolean {
  const ownWords = normal.split(" ");
  return words.every((word) => ownWords.some((one) => one.startsWith(word)));
}

/** A sequence of words that names with one key share. */
interface WordSequence {
  readonly words: Uint32Array;
  readonly normal: string;
  /** Whether these words have the key; the hash may collide. */
  readonly hasKey: boolean;
  /** Whether a word search finds them too; undefined until checked. */
  isFoundByWords?: boolean;
}

/** Yields the names that have one of some exact keys, each once, with the index of the key; by rank for each key. */
export function* namesWithKeys(
  index: NameIndex,
  keys: readonly string[],
): Generator<readonly [rank: number, keyIndex: number, name: WordSequence]> {
  const seen = keys.length === 1 ? undefined : new Set<number>();
  for (const [keyIndex, key] of keys.entries()) {
    for (const [rank, name] of namesWithKey(index, key)) {
      if (seen?.has(rank) === true) continue;
      seen?.add(rank);
      yield [rank, keyIndex, name];
    }
  }
}

/** Names with the same words are normalised once; one key has few word sequences. */
function* namesWithKey(
  index: NameIndex,
  key: string,
): Generator<readonly [rank: number, name: WordSequence]> {
  const sequences: WordSequence[] = [];
  for (const rank of index.exactKeys.withHash(hashOfKey(key))) {
    if (!index.isShown(rank)) continue;
    const words = index.nameWords.words(rank);
    let sequence = sequences.find((one) => areSame(one.words, words));
    if (sequence === undefined) {
      const normal = normalise(index.records.text(rank));
      sequence = { words, normal, hasKey: exactKeys(normal).includes(key) };
      if (sequences.length < MAX_SEQUENCES) sequences.push(sequence);
    }
    if (sequence.hasKey) yield [rank, sequence];
  }
}

function areSame(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** 0: the same letters; 1: the same normalised; 2: contains all words; 3: another legal form. */
function difference(name: string, normal: string, query: NameQuery): number {
  if (name.toLowerCase() === query.typed.trim().toLowerCase()) return 0;
  if (normal === query.normal) return 1;
  return hasWords(name, query.words) ? 2 : 3;
}

/** Whether every word is a prefix of a word of a name. */
export function hasWords(name: string, words: readonly string[]): boolean {
  const ownWords = [...nameWords(name)];
  return words.every((word) => ownWords.some((one) => one.startsWith(word)));
}
