import type { IsActive, Wanted } from "./asked.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { exactKeys } from "./legalWords.ts";
import { hashOfKey, nameWords } from "./names.ts";
import { normalise } from "./normalise.ts";
import type { NameQuery } from "./query.ts";

/** A name can be the very same for many companies, `Jansen` for one; more than these are not looked at. */
const MOST_WITH_ONE_KEY = 256;

/** A name that is the query. */
export interface ExactName {
  readonly rank: number;
  /** The lower, the better; below {@link EXACT_GROUPS}. */
  readonly group: number;
}

const LIKENESSES = 4;
const MOST_KEYS = 4;
export const EXACT_GROUPS = 2 * LIKENESSES * MOST_KEYS;

/**
 * The names that are the query, legal form aside, best first: active ones before others, then by how alike the name is, then
 * by which key they share and by rank. Whoever typed a legal form means that form: then the likeness comes first.
 */
export function exactNames(index: NameIndex, wanted: Wanted, query: NameQuery): ExactName[] {
  const found: ExactName[] = [];
  for (const [rank, nth] of withKeys(index, exactKeys(query.normal), MOST_WITH_ONE_KEY)) {
    if (!isWanted(index, wanted.isActive, rank) || !wanted.facets.every((facet) => facet.isOf(rank)))
      continue;
    const ended = index.records.isActive(rank) ? 0 : 1;
    const unlike = likeness(index, rank, query);
    const place = query.namesLegalForm ? unlike * 2 + ended : ended * LIKENESSES + unlike;
    found.push({ rank, group: place * MOST_KEYS + Math.min(nth, MOST_KEYS - 1) });
  }
  return found.sort((a, b) => a.group - b.group);
}

function isWanted(index: NameIndex, isActive: IsActive, rank: number): boolean {
  return isActive === undefined || index.records.isActive(rank) === isActive;
}

/** The names that have one of some exact keys, each once with the place of the key, `most` for each key at most, by rank for each. */
export function* withKeys(
  index: NameIndex,
  keys: readonly string[],
  most: number,
): Generator<readonly [rank: number, nth: number]> {
  const given = keys.length === 1 ? undefined : new Set<number>();
  for (const [nth, key] of keys.entries()) {
    for (const rank of withKey(index, key, most)) {
      if (given?.has(rank) === true) continue;
      given?.add(rank);
      yield [rank, nth];
    }
  }
}

/** Names of the same words are read once. */
function* withKey(index: NameIndex, key: string, most: number): Generator<number> {
  const isSame = new Map<string, boolean>();
  let left = most;
  for (const rank of index.exactKeys.withHash(hashOfKey(key))) {
    if (!index.isShown(rank)) continue;
    const words = index.nameWords.read(rank).join(" ");
    let same = isSame.get(words);
    if (same === undefined) {
      same = exactKeys(normalise(index.records.text(rank))).includes(key);
      isSame.set(words, same);
    }
    if (!same) continue;
    yield rank;
    if (--left === 0) return;
  }
}

/** 0: letter by letter; 1: the same when normalised; 2: has all words; 3: the same but for the legal form. */
function likeness(index: NameIndex, rank: number, query: NameQuery): number {
  const name = index.records.text(rank);
  if (name.toLowerCase() === query.typed.trim().toLowerCase()) return 0;
  if (normalise(name) === query.normal) return 1;
  return hasWords(name, query.words) ? 2 : 3;
}

/** Whether a name has, for each of the words, one that starts with it. */
export function hasWords(name: string, words: readonly string[]): boolean {
  const own = [...nameWords(name)];
  return words.every((word) => own.some((one) => one.startsWith(word)));
}
