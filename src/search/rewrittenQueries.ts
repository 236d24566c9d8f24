import type { NameIndex } from "./index/nameIndex.ts";
import { isInitial } from "./nameText.ts";
import { withoutSpaces } from "./normalise.ts";
import { type NameQuery, nameQueryOf, type RewriteRank } from "./query.ts";
import { spellingVariants, type WordReplacement } from "./spellingVariants.ts";

const MAX_REWRITTEN = 8;
/** Longer queries are not rewritten. */
const MAX_WORDS = 24;
/** From this number on, initials that make up a whole query are probably an abbreviation, not prefixes of words. */
const MIN_LIKELY_INITIALS = 3;

/** A word that may consist of initials, which some names separate by spaces. */
const MAY_BE_INITIALS = /^(?!\d+$)[\p{L}\p{N}]{2,4}$/u;

/** The words of all names of some indexes. */
export interface Vocabulary {
  has(word: string): boolean;
  hasPrefix(word: string): boolean;
}

export function vocabularyOf(indexes: readonly NameIndex[]): Vocabulary {
  return {
    has: (word) => indexes.some((index) => index.wordNumber(word) !== undefined),
    hasPrefix: (word) => indexes.some((index) => index.withPrefix(word).length > 0),
  };
}

/**
 * Rewrites a query in other words with the same meaning: joined initials (`hlf` for `h l f`), joined words (`postnl`
 * for `post nl`), and combinations of spelling variants (see spellingVariants.ts). Returns only queries whose words
 * occur in the index.
 */
export function rewrittenQueries(query: NameQuery, vocabulary: Vocabulary): NameQuery[] {
  const { words } = query;
  if (words.length > MAX_WORDS) return [];
  const letters = withoutSpaces(query.normal);
  const found: NameQuery[] = [];
  const add: AddRewritten = (one, rank) => {
    const { typed } = query;
    const normal = one.words.join(" ");
    if (found.length < MAX_REWRITTEN && normal !== query.normal)
      found.push({
        ...nameQueryOf(typed, normal),
        isWholeWord: one.isWholeWord,
        rewriteRank: rank,
        isRespaced: withoutSpaces(normal) === letters,
      });
  };
  const asTyped: PartlyRewritten = { words, isWholeWord: words.map(() => false), next: 0 };
  const initialsOf =
    words.length === 1 && MAY_BE_INITIALS.test(query.normal) ? (query.normal.match(/ij|./gu) ?? []) : [];
  if (initialsOf.length > 1 && initialsOf.every(vocabulary.has)) {
    add(replaceWords(asTyped, { position: 0, count: 1, words: initialsOf }, true), "equal");
  }
  for (const { position, count } of initials(words)) joinInitials(asTyped, position, count, vocabulary, add);
  joinPairs(asTyped, vocabulary, add);
  // Each round replaces one more word by a spelling variant.
  let rewrites: readonly PartlyRewritten[] = [asTyped];
  while (rewrites.length > 0 && found.length < MAX_REWRITTEN) {
    rewrites = rewrites.flatMap((rewrite) =>
      [...spellingVariants(rewrite.words)]
        .filter(
          ({ position, words: replacement }) => position >= rewrite.next && replacement.every(vocabulary.has),
        )
        .map((other) => replaceWords(rewrite, other, true)),
    );
    for (const rewrite of rewrites) add(rewrite, "alternative");
  }
  return found;
}

/** A query with some words replaced. The words from position `next` on are unchanged. */
interface PartlyRewritten {
  readonly words: readonly string[];
  readonly isWholeWord: readonly boolean[];
  readonly next: number;
}

function replaceWords(
  { words, isWholeWord }: PartlyRewritten,
  { position, count, words: replacement }: WordReplacement,
  isWhole: boolean,
): PartlyRewritten {
  return {
    words: words.toSpliced(position, count, ...replacement),
    isWholeWord: isWholeWord.toSpliced(position, count, ...replacement.map(() => isWhole)),
    next: position + replacement.length,
  };
}

type AddRewritten = (one: PartlyRewritten, rank: RewriteRank) => void;

/** Joins each two adjacent words to one. */
function joinPairs(asTyped: PartlyRewritten, vocabulary: Vocabulary, add: AddRewritten): void {
  const { words } = asTyped;
  for (const [position, start] of words.slice(0, -1).entries()) {
    const end = words[position + 1] ?? "";
    const isLast = position === words.length - 2;
    // A single letter is rarely the end of a compound.
    if (isInitial(end) && (isLast || isInitial(start))) continue;
    const joined = start + end;
    if (isLast ? vocabulary.hasPrefix(joined) : vocabulary.has(joined))
      add(replaceWords(asTyped, { position, count: 2, words: [joined] }, !isLast), "alternative");
  }
}

/** Yields the runs of at least two adjacent initials. */
function* initials(
  words: readonly string[],
): Generator<{ readonly position: number; readonly count: number }> {
  let position = 0;
  for (let at = 0; at <= words.length; at++) {
    if (at < words.length && isInitial(words[at] ?? "")) continue;
    if (at - position > 1) yield { position, count: at - position };
    position = at + 1;
  }
}

/**
 * Joins initials to one word. At the end of a query the result may be a prefix, or the last letter may begin the next
 * word.
 */
function joinInitials(
  asTyped: PartlyRewritten,
  position: number,
  count: number,
  vocabulary: Vocabulary,
  add: AddRewritten,
): void {
  const { words } = asTyped;
  const joined = (length: number) => words.slice(position, position + length).join("");
  const isAtEnd = position + count === words.length;
  const isLikely = count >= MIN_LIKELY_INITIALS && count === words.length;
  const all = joined(count);
  if (vocabulary.has(all))
    add(
      replaceWords(asTyped, { position, count, words: [all] }, true),
      isLikely ? "preferred" : "alternative",
    );
  if (!isAtEnd) return;
  if (vocabulary.hasPrefix(all))
    add(replaceWords(asTyped, { position, count, words: [all] }, false), "alternative");
  const before = joined(count - 1);
  if (count > 2 && vocabulary.has(before))
    add(replaceWords(asTyped, { position, count: count - 1, words: [before] }, true), "alternative");
}
