import { spellingVariants, type WordReplacement } from "./habits.ts";
import type { NameIndex } from "./index/nameIndex.ts";
import { isInitial } from "./nameText.ts";
import { squeeze } from "./normalise.ts";
import { type NameQuery, queryOf, type RewriteRank } from "./query.ts";

/** A query is asked in so many other words at most. */
const MAX_RESTATED = 8;
/** A query of more words is asked as it is. */
const MAX_WORDS = 24;
/** So many initials that are all of a query are likelier those of one company than the beginnings of its words. */
const LIKELY_INITIALS = 3;

/** A word that may be initials, which some names write apart. */
const FEW_LETTERS = /^(?!\d+$)[\p{L}\p{N}]{2,4}$/u;

/** The words of the names of some indexes. */
export interface Vocabulary {
  has(word: string): boolean;
  /** Whether a word begins so. */
  begins(word: string): boolean;
}

export function vocabularyOf(indexes: readonly NameIndex[]): Vocabulary {
  return {
    has: (word) => indexes.some((index) => index.wordNumber(word) !== undefined),
    begins: (word) => indexes.some((index) => index.beginning(word).length > 0),
  };
}

/**
 * The query in other words of the same meaning: initials as one word (`hlf` for `h l f`), words joined that names write together
 * (`postnl` for `post nl`), and what is written otherwise by habit (see habits.ts), several habits at once as well.
 */
export function restated(query: NameQuery, vocabulary: Vocabulary): NameQuery[] {
  const { words } = query;
  if (words.length > MAX_WORDS) return [];
  const letters = squeeze(query.normal);
  const found: NameQuery[] = [];
  const add = (one: Wording, how: RewriteRank) => {
    const { typed } = query;
    const normal = one.words.join(" ");
    if (found.length < MAX_RESTATED && normal !== query.normal)
      found.push({
        ...queryOf(typed, normal),
        areWhole: one.areWhole,
        rewriteRank: how,
        isRespaced: squeeze(normal) === letters,
      });
  };
  const asTyped: Wording = { words, areWhole: words.map(() => false), next: 0 };
  const initialsOf =
    words.length === 1 && FEW_LETTERS.test(query.normal) ? (query.normal.match(/ij|./gu) ?? []) : [];
  if (initialsOf.length > 1 && initialsOf.every(vocabulary.has)) {
    add(replaced(asTyped, { place: 0, count: 1, words: initialsOf }, true), "equal");
  }
  for (const { place, count } of initials(words)) joinInitials(asTyped, place, count, vocabulary, add);
  for (let place = 0; place < words.length - 1; place++) {
    const end = words[place + 1] ?? "";
    const joined = `${words[place]}${end}`;
    const isLast = place === words.length - 2;
    // One letter more is hardly the end of a word.
    if (isInitial(end) && (isLast || isInitial(words[place] ?? ""))) continue;
    if (isLast ? vocabulary.begins(joined) : vocabulary.has(joined))
      add(replaced(asTyped, { place, count: 2, words: [joined] }, !isLast), "alike");
  }
  let wordings: readonly Wording[] = [asTyped];
  while (wordings.length > 0 && found.length < MAX_RESTATED) {
    wordings = wordings.flatMap((wording) =>
      [...spellingVariants(wording.words)]
        .filter(({ place, words: others }) => place >= wording.next && others.every(vocabulary.has))
        .map((other) => replaced(wording, other, true)),
    );
    for (const wording of wordings) add(wording, "alike");
  }
  return found;
}

/** Words, which of them are whole, and from where on none was replaced. */
interface Wording {
  readonly words: readonly string[];
  readonly areWhole: readonly boolean[];
  readonly next: number;
}

function replaced(
  { words, areWhole }: Wording,
  { place, count, words: others }: WordReplacement,
  isWhole: boolean,
): Wording {
  return {
    words: words.toSpliced(place, count, ...others),
    areWhole: areWhole.toSpliced(place, count, ...others.map(() => isWhole)),
    next: place + others.length,
  };
}

function* initials(words: readonly string[]): Generator<{ readonly place: number; readonly count: number }> {
  let place = 0;
  for (let at = 0; at <= words.length; at++) {
    if (at < words.length && isInitial(words[at] ?? "")) continue;
    if (at - place > 1) yield { place, count: at - place };
    place = at + 1;
  }
}

/** Initials as one word; of those at the end of a query the last may be the start of a word, and all of them that of one. */
function joinInitials(
  asTyped: Wording,
  place: number,
  count: number,
  vocabulary: Vocabulary,
  add: (one: Wording, how: RewriteRank) => void,
): void {
  const { words } = asTyped;
  const joined = (length: number) => words.slice(place, place + length).join("");
  const isAtEnd = place + count === words.length;
  const isLikely = count >= LIKELY_INITIALS && count === words.length;
  const all = joined(count);
  if (vocabulary.has(all))
    add(replaced(asTyped, { place, count, words: [all] }, true), isLikely ? "likelier" : "alike");
  if (!isAtEnd) return;
  if (vocabulary.begins(all)) add(replaced(asTyped, { place, count, words: [all] }, false), "alike");
  const before = joined(count - 1);
  if (count > 2 && vocabulary.has(before))
    add(replaced(asTyped, { place, count: count - 1, words: [before] }, true), "alike");
}
