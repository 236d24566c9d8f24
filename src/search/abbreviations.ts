/**
 * Abbreviated words: cut off (`Transp.bedr.`), without vowels (`grp`), or with a part replaced by a hyphen
 * (`Land- en Tuinbouw`).
 */
import { normalise } from "./normalise.ts";
import { STOP_WORDS } from "./spellingVariants.ts";

/** A word of a name with the sign behind it. */
interface Token {
  readonly word: string;
  readonly sign: string;
}

const TOKEN = /([\p{L}\p{N}\p{M}'’]+)([.-]?)/gu;
/** A cheap first test: names with other dots and hyphens have none behind a word. */
const HAS_SIGNED_WORD = /[\p{L}\p{M}]{2}[.-]/u;
const MIN_PIECE_LENGTH = 2;
const MAX_PIECES = 3;
/** The minimum length of a word that was cut off without a dot, and of one that is certain with a dot. */
const MIN_CUT_LENGTH = 4;
const MIN_CERTAIN_LENGTH = 5;
/** The minimum length of the end that compounds with a hyphen share: `bouw`, `zorg`. */
const MIN_END_LENGTH = 4;
/** The words between a compound with a hyphen and the one that has the end: `Tuin-, Land- en Bosbouw`. */
const MAX_BETWEEN = 4;
const MIN_CONSONANTS = 3;

/** Returns a word without vowels, except for the first letter. */
export function withoutVowels(word: string): string {
  return word.replace(/(?!^)(?:[aeiou]|ij)/g, "");
}

/** Whether a short word is a long one without at least half of its vowels: `srvces` for `services`. */
export function isWithoutVowels(short: string, long: string): boolean {
  if (short[0] !== long[0] || short.at(-1) !== long.at(-1)) return false;
  const consonants = withoutVowels(short);
  const vowels = short.length - consonants.length;
  const isLonger = long.length - short.length >= Math.max(2, vowels);
  return isLonger && consonants.length >= MIN_CONSONANTS && consonants === withoutVowels(long);
}

/** Whether a word is another one that was cut off: `devel` for `development`. */
export function isCutOff(short: string, long: string, minLength = MIN_CUT_LENGTH): boolean {
  const isLonger = long.length > short.length && long.startsWith(short);
  return isLonger && short.length >= minLength && !STOP_WORDS.has(short);
}

/**
 * Whether several words, some of them cut off, make up a compound: `adm` and `kantoor`.
 * @param isCut whether the last word may be cut off; otherwise it is the end of the compound
 */
export function areCutParts(pieces: readonly string[], compound: string, isCut: boolean): boolean {
  const [first = "", ...others] = pieces;
  if (others.length === 0 || !isCutOff(first, compound, MIN_PIECE_LENGTH)) return false;
  let at = first.length;
  for (const [nth, piece] of others.entries()) {
    const found = nth === others.length - 1 ? compound.lastIndexOf(piece) : compound.indexOf(piece, at);
    if (piece.length < MIN_PIECE_LENGTH || found < at) return false;
    at = found + piece.length;
  }
  return isCut || at === compound.length;
}

/** Returns the runs of two or three words that begin at a position. */
export function runsFrom<One>(words: readonly One[], at: number): (readonly One[])[] {
  const last = Math.min(MAX_PIECES, words.length - at);
  return Array.from({ length: Math.max(0, last - 1) }, (_, nth) => words.slice(at, at + nth + 2));
}

/**
 * Whether a name has every word of a query, some of them abbreviated.
 * @param isWeak whether any abbreviation counts, in the query too; otherwise only one with a dot or a hyphen in the
 * name
 */
export function hasAbbreviated(name: string, words: readonly string[], isWeak: boolean): boolean {
  if (!isWeak && !HAS_SIGNED_WORD.test(name)) return false;
  const tokens = [...name.matchAll(TOKEN)].map(([, text = "", sign = ""]) => ({
    word: normalise(text),
    sign,
  }));
  const isAlone = words.length === 1;
  const isFound = (word: string) =>
    tokens.some(
      (token, at) =>
        token.word.startsWith(word) ||
        isSigned(word, tokens.slice(at, at + MAX_BETWEEN + 1), isAlone) ||
        (isWeak && isAlike(word, token)),
    );
  const isCompound = (run: readonly string[]) => tokens.some(({ word }) => areCutParts(run, word, true));
  const isRead = (at: number): boolean =>
    at >= words.length ||
    (isFound(words[at] ?? "") && isRead(at + 1)) ||
    (isWeak && runsFrom(words, at).some((run) => isCompound(run) && isRead(at + run.length)));
  return isRead(0);
}

/**
 * Whether a word is one that a name has with a dot or a hyphen: cut off, or a compound in parts.
 * @param tokens from the first part on
 * @param isAlone whether it is the whole query, which is then too little for a word that was cut off
 */
function isSigned(word: string, tokens: readonly Token[], isAlone: boolean): boolean {
  const [{ word: head, sign } = { word: "", sign: "" }, ...others] = tokens;
  if (sign === "-") return others.some((other) => other.sign !== "-" && isWithEnd(word, head, other.word));
  const isDotted = (token: Token | undefined) => token?.sign === ".";
  return (
    (isDotted(tokens[0]) && !isAlone && isCutOff(head, word, MIN_CERTAIN_LENGTH)) ||
    runsFrom(tokens, 0).some((run) => {
      const pieces = run.map((token) => token.word);
      return run.some(isDotted) && areCutParts(pieces, word, isDotted(run.at(-1)));
    })
  );
}

/**
 * Whether a word is the head of a compound with the end of a later word: `landbouwcooperatie` for
 * `Landbouw- en Veeteeltcoöperatie`.
 */
function isWithEnd(word: string, head: string, later: string): boolean {
  return [head, `${head}s`, `${head}n`, head.replace(/s$/, "")].some((start) => {
    const end = word.startsWith(start) ? word.slice(start.length) : "";
    return end.length >= MIN_END_LENGTH && later.endsWith(end) && later !== end;
  });
}

function isAlike(word: string, { word: other, sign }: Token): boolean {
  const isCut = sign !== "-" && isCutOff(other, word, sign === "." ? MIN_PIECE_LENGTH : MIN_CUT_LENGTH);
  return isCut || isWithoutVowels(word, other) || isWithoutVowels(other, word);
}
