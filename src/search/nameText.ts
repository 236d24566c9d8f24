import { memoise } from "../lib/memoise.ts";
import { normalise, normaliseKeepingAnd, withoutSpaces } from "./normalise.ts";

/** A name split into words. */
export interface ParsedName {
  readonly normal: string;
  /** The words of `normal`. */
  readonly words: readonly string[];
  /**
   * Words with inner punctuation, joined: `ecommerce`; separate initials, joined: `abc` for `A B C`; and `and` if it
   * was replaced by `en`.
   */
  readonly joinedWords: readonly string[];
}

/** A part of a name between spaces. */
interface Part {
  readonly words: readonly string[];
  readonly joined: string;
  /** Whether a letter or digit follows something that is neither. */
  readonly hasInnerPunctuation: boolean;
  /** The number of single letters. Together with letters of other parts they may be initials or a legal form. */
  readonly singleLetters: number;
}

const INNER_PUNCTUATION = /[^\s\p{L}\p{N}][\p{L}\p{N}]/u;
/** Names with these cannot be parsed part by part: signs that may be words, and white space other than spaces. */
const NEEDS_WHOLE_NAME = /[&+]|[^\S ]/;
const SINGLE_LETTER = /^(?:[\p{L}\p{N}]|ij|sa|rl)$/u;
/** One letter or digit; `ij` is one letter. */
const INITIAL = /^(?:[\p{L}\p{N}]|ij)$/u;

/** Cached, because names share many parts. Identical string objects also make later map lookups faster. */
const partOf = memoise(1 << 16, parsePart);

function parsePart(text: string): Part {
  const words = wordsOf(normaliseKeepingAnd(text));
  return {
    words,
    joined: joinedWord(text),
    hasInnerPunctuation: INNER_PUNCTUATION.test(text),
    singleLetters: words.filter(isSingleLetter).length,
  };
}

/**
 * Whether a word is an initial or may be part of a spaced legal form. A name with two of these cannot be parsed part by
 * part.
 */
function isSingleLetter(word: string): boolean {
  return SINGLE_LETTER.test(word);
}

/** Normalises a name and splits it into words. */
export function parseName(name: string): ParsedName {
  if (NEEDS_WHOLE_NAME.test(name)) return parseWhole(name);
  const words: string[] = [];
  const joinedWords: string[] = [];
  let hasInnerPunctuation = false;
  let singleLetterCount = 0;
  for (const text of name.split(" ")) {
    const part = partOf(text);
    singleLetterCount += part.singleLetters;
    if (singleLetterCount > 1) return parseWhole(name);
    for (const word of part.words) words.push(word);
    hasInnerPunctuation ||= part.hasInnerPunctuation;
    if (part.joined !== "") joinedWords.push(part.joined);
  }
  if (!hasInnerPunctuation) joinedWords.length = 0;
  if (replaceAnd(words)) joinedWords.push("and");
  return { normal: words.join(" "), words, joinedWords };
}

/** Replaces every `and` between other words by `en`, as {@link normalise} does. @returns whether there was one */
function replaceAnd(words: string[]): boolean {
  let hasAnd = false;
  for (let nth = 1; nth < words.length - 1; nth++) {
    if (words[nth] !== "and") continue;
    words[nth] = "en";
    hasAnd = true;
  }
  return hasAnd;
}

function parseWhole(name: string): ParsedName {
  const words = wordsOf(normaliseKeepingAnd(name));
  const joinedWords = INNER_PUNCTUATION.test(name)
    ? name
        .split(/\s+/)
        .map(joinedWord)
        .filter((word) => word !== "")
    : [];
  if (replaceAnd(words)) joinedWords.push("and");
  for (const initials of initialsIn(words)) joinedWords.push(initials.join(""));
  return { normal: words.join(" "), words, joinedWords };
}

export function isInitial(word: string): boolean {
  return INITIAL.test(word);
}

/** Returns the sequences of two or more initials. */
function initialsIn(words: readonly string[]): string[][] {
  const allInitials: string[][] = [];
  let initials: string[] = [];
  for (const word of [...words, ""]) {
    if (isInitial(word)) initials.push(word);
    else {
      if (initials.length > 1) allInitials.push(initials);
      initials = [];
    }
  }
  return allInitials;
}

/** Splits a normalised text into words. */
export function wordsOf(normal: string): string[] {
  return normal === "" ? [] : normal.split(" ");
}

/** Removes the punctuation from a text without spaces; empty if it is a single word already. */
export function joinedWord(part: string): string {
  if (!normalise(part).includes(" ")) return "";
  return withoutSpaces(normalise(part.normalize("NFKD").replace(/[^\p{L}\p{N}\p{M}]/gu, "")));
}
