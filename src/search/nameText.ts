import { remembered } from "../lib/remembered.ts";
import { normalise, normaliseButAnd, squeeze } from "./normalise.ts";

/** A name as finding reads it. */
export interface NameText {
  readonly normal: string;
  /** The words of `normal`. */
  readonly words: readonly string[];
  /** Words that punctuation joins, as one word each: `ecommerce`; initials that stand apart: `abc` of `A B C`; and `and`, where `en` stands for it. */
  readonly joined: readonly string[];
}

/** A part of a name between two spaces. */
interface Part {
  readonly words: readonly string[];
  readonly joined: string;
  /** Whether a letter or digit follows something that is neither. */
  readonly isJoint: boolean;
  /** How many of its words are loose letters: initials, or parts of a legal form, which are read together with those of other parts. */
  readonly looseWords: number;
}

const JOINT = /[^\s\p{L}\p{N}][\p{L}\p{N}]/u;
/** Names with signs that may be words, and with white space of other kinds, are not read part by part. */
const NOT_BY_PARTS = /[&+]|[^\S ]/;
const LOOSE = /^(?:[\p{L}\p{N}]|ij|sa|rl)$/u;
/** A word of one letter or digit; the letter `ij` is written as two. */
const INITIAL = /^(?:[\p{L}\p{N}]|ij)$/u;

/**
 * Names hold the same parts again and again. That their words are the same strings each time matters as much as that they need not be
 * made: strings that were looked up before are found by their address.
 */
const partOf = remembered(1 << 16, readPart);

function readPart(text: string): Part {
  const words = wordsOf(normaliseButAnd(text));
  return {
    words,
    joined: joinedWord(text),
    isJoint: JOINT.test(text),
    looseWords: words.filter(isLoose).length,
  };
}

/** Whether a word is an initial or may be a part of a legal form in loose letters: a name with two of these is not read part by part. */
function isLoose(word: string): boolean {
  return LOOSE.test(word);
}

/** Reads a name: what {@link normalise} makes of it, its words, and what punctuation joins. */
export function readName(name: string): NameText {
  if (NOT_BY_PARTS.test(name)) return readWhole(name);
  const words: string[] = [];
  const joined: string[] = [];
  let isJoint = false;
  let loose = 0;
  for (const text of name.split(" ")) {
    const part = partOf(text);
    loose += part.looseWords;
    if (loose > 1) return readWhole(name);
    for (const word of part.words) words.push(word);
    isJoint ||= part.isJoint;
    if (part.joined !== "") joined.push(part.joined);
  }
  if (!isJoint) joined.length = 0;
  if (sayEn(words)) joined.push("and");
  return { normal: words.join(" "), words, joined };
}

/** Makes `en` of every `and` between other words, as {@link normalise} does. @returns whether there was one */
function sayEn(words: string[]): boolean {
  let wasThere = false;
  for (let nth = 1; nth < words.length - 1; nth++) {
    if (words[nth] !== "and") continue;
    words[nth] = "en";
    wasThere = true;
  }
  return wasThere;
}

function readWhole(name: string): NameText {
  const words = wordsOf(normaliseButAnd(name));
  const joined = JOINT.test(name)
    ? name
        .split(/\s+/)
        .map(joinedWord)
        .filter((word) => word !== "")
    : [];
  if (sayEn(words)) joined.push("and");
  for (const run of initialsIn(words)) joined.push(run.join(""));
  return { normal: words.join(" "), words, joined };
}

export function isInitial(word: string): boolean {
  return INITIAL.test(word);
}

/** The runs of two initials or more in some words. */
function initialsIn(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const word of [...words, ""]) {
    if (isInitial(word)) run.push(word);
    else {
      if (run.length > 1) runs.push(run);
      run = [];
    }
  }
  return runs;
}

/** The words of a normalised text. */
export function wordsOf(normal: string): string[] {
  return normal === "" ? [] : normal.split(" ");
}

/** The word that a text without spaces makes when its punctuation is left out; empty when that adds nothing. */
export function joinedWord(part: string): string {
  if (!normalise(part).includes(" ")) return "";
  return squeeze(normalise(part.normalize("NFKD").replace(/[^\p{L}\p{N}\p{M}]/gu, "")));
}
