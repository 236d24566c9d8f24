/** Abbreviated words: cut off (`Transp.bedr.`), without vowels (`grp`), or with a part left out for a hyphen (`Land- en Tuinbouw`). */
import { LEGAL_FORM_WORDS } from "./legalFormWords.ts";
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
const MIN_WEAK_LENGTH = 4;
const MIN_CONSONANTS = 3;
/** The minimum length of the end that compounds with a hyphen share: `bouw`, `zorg`. */
const MIN_END_LENGTH = 4;
/** The words between a compound with a hyphen and the one that has the end: `Tuin-, Land- en Bosbouw`. */
const MAX_BETWEEN = 4;
const MAX_PIECES = 3;

/** Whether a short word is a long one without at least half of its vowels: `srvces` for `services`. */
export function isWithoutVowels(short: string, long: string): boolean {
  if (short.length + 1 >= long.length || short.replace(/[aeiou]|ij/g, "").length < MIN_CONSONANTS)
    return false;
  if (short[0] !== long[0] || short.at(-1) !== long.at(-1)) return false;
  let at = 0;
  for (const letter of long) {
    if (letter === short[at]) at++;
    else if (!/[aeiouj]/.test(letter)) return false;
  }
  return at === short.length && 2 * vowels(short) <= vowels(long);
}

function vowels(word: string): number {
  return word.replace(/[^aeiou]/g, "").length;
}

/** Whether a word is another one that was cut off: `devel` for `development`. Such a word has some letters, and no meaning of its own. */
export function isCutOff(short: string, long: string, minLength: number): boolean {
  return (
    short.length >= minLength &&
    short.length < long.length &&
    long.startsWith(short) &&
    !STOP_WORDS.has(short) &&
    !LEGAL_FORM_WORDS.has(short) &&
    !/[0-9]/.test(short)
  );
}

/**
 * Whether several words, some of them cut off, make up a compound: `transp` and `bedr`, `adm` and `kantoor`.
 * @param isCut whether the last word may be cut off; otherwise it is the end of the compound
 */
export function areCutParts(pieces: readonly string[], compound: string, isCut: boolean): boolean {
  const [first = "", ...others] = pieces;
  if (others.length === 0 || !isCutOff(first, compound, MIN_PIECE_LENGTH)) return false;
  let at = first.length;
  for (const [nth, piece] of others.entries()) {
    const isLast = nth === others.length - 1;
    const found = isLast ? compound.lastIndexOf(piece) : compound.indexOf(piece, at);
    if (piece.length < MIN_PIECE_LENGTH || found < at) return false;
    at = found + piece.length;
  }
  return isCut || at === compound.length;
}

/** The runs of two or three words that begin at a position. */
export function* runsFrom<One>(words: readonly One[], at: number): Generator<readonly One[]> {
  for (let count = 2; count <= MAX_PIECES && at + count <= words.length; count++)
    yield words.slice(at, at + count);
}

/**
 * Whether a name has every word of a query, some of them abbreviated.
 * @param isWeak whether any abbreviation counts, in the query too; otherwise only one with a dot or a hyphen in the name
 */
export function hasAbbreviated(name: string, words: readonly string[], isWeak: boolean): boolean {
  if (!isWeak && !HAS_SIGNED_WORD.test(name)) return false;
  const tokens = tokensOf(name);
  const isFound = (word: string) =>
    tokens.some(
      (token, at) => token.word.startsWith(word) || isCompound(word, tokens, at, words.length === 1),
    ) ||
    (isWeak && tokens.some((token) => areWeaklyAlike(word, token)));
  const isRead = (at: number): boolean =>
    at >= words.length ||
    (isFound(words[at] ?? "") && isRead(at + 1)) ||
    (isWeak && runsFrom(words, at).some((run) => isRun(run, tokens) && isRead(at + run.length)));
  return isRead(0);
}

function tokensOf(name: string): Token[] {
  return [...name.matchAll(TOKEN)].flatMap(([, text = "", sign = ""]) =>
    normalise(text)
      .split(" ")
      .map((word, nth, all) => ({ word, sign: nth === all.length - 1 ? sign : "" })),
  );
}

/**
 * Whether a word is one that a name has cut off with a dot, or a compound that it has in parts, from a position on.
 * @param isAlone whether it is the whole query, which is then too little for a word that was cut off
 */
function isCompound(word: string, tokens: readonly Token[], at: number, isAlone: boolean): boolean {
  const { word: head = "", sign } = tokens[at] ?? {};
  if (sign === "." && !isAlone && isCutOff(head, word, MIN_WEAK_LENGTH)) return true;
  if (sign === "-")
    return tokens.slice(at + 1, at + 1 + MAX_BETWEEN).some((token) => hasEnd(word, head, token));
  return runsFrom(tokens, at).some((run) => {
    const isCut = run.at(-1)?.sign === ".";
    const isDotted = run.some((token) => token.sign === ".");
    return (
      isDotted &&
      areCutParts(
        run.map((token) => token.word),
        word,
        isCut,
      )
    );
  });
}

/** Whether a word is the head of a compound with the end of a later word: `landbouwcooperatie` for `Landbouw- en Veeteeltcoöperatie`. */
function hasEnd(word: string, head: string, { word: later, sign }: Token): boolean {
  if (sign === "-" || head.length < MIN_PIECE_LENGTH) return false;
  return [head, `${head}s`, head.replace(/s$/, "")].some((start) => {
    const end = word.startsWith(start) ? word.slice(start.length) : "";
    return end.length >= MIN_END_LENGTH && later.endsWith(end) && later.length > end.length;
  });
}

function areWeaklyAlike(word: string, { word: other, sign }: Token): boolean {
  return (
    (sign !== "-" && isCutOff(other, word, sign === "." ? MIN_PIECE_LENGTH : MIN_WEAK_LENGTH)) ||
    isWithoutVowels(word, other) ||
    isWithoutVowels(other, word)
  );
}

/** Whether words of a query are the parts of a compound in a name. */
function isRun(run: readonly string[], tokens: readonly Token[]): boolean {
  const isCut = (run.at(-1)?.length ?? 0) >= MIN_WEAK_LENGTH;
  return tokens.some(({ word }) => areCutParts(run, word, isCut) || areCutParts(run, word, false));
}
