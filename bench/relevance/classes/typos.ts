import type { Random } from "../../../src/demo/random.ts";
import { normalise } from "../../../src/search/normalise.ts";
import type { QueryClass } from "./queryClass.ts";
import { lengthOf, type TypedName, withWords } from "./typedName.ts";

/** In shorter names a typo leaves too little to know them by. */
const LEAST_LETTERS = 4;
const LEAST_LETTERS_FOR_TWO = 12;
/** Typos that change nothing, as of two equal letters that trade places, are made again so often at most. */
const TRIES = 20;

export const ONE_TYPO: QueryClass = {
  id: "one-typo",
  title: "one typo",
  isBeginning: false,
  type: (name, random) => typed(name, random, 1, LEAST_LETTERS),
};

export const TWO_TYPOS: QueryClass = {
  id: "two-typos",
  title: `two typos, ${LEAST_LETTERS_FOR_TWO} letters or more`,
  isBeginning: false,
  type: (name, random) => typed(name, random, 2, LEAST_LETTERS_FOR_TWO),
};

function typed(name: TypedName, random: Random, typos: number, leastLetters: number): string | undefined {
  if (lengthOf(name.words) < leastLetters) return undefined;
  const written = normalise(name.words.join(" "));
  const before = new Set([written]);
  let text = name.words.join(" ").toLowerCase();
  for (let typo = 0; typo < typos; typo++) {
    const next = differentTypo(text, before, random);
    if (next === undefined) return undefined;
    before.add(normalise(next));
    text = next;
  }
  return withWords(name, [text]);
}

/** A typo after which the text is none of those before, so that the second does not undo the first. */
function differentTypo(text: string, before: ReadonlySet<string>, random: Random): string | undefined {
  for (let tries = 0; tries < TRIES; tries++) {
    const next = makeTypo(text, random);
    if (next !== undefined && !before.has(normalise(next))) return next;
  }
  return undefined;
}

/**
 * One of the four errors of Damerau (A technique for computer detection and correction of spelling errors, 1964), each
 * as likely, at a letter of the text, each as likely: a letter too many, one too few, a wrong one, two that traded places.
 * Of wrong letters and those too many half are neighbours on the keyboard, half any letter.
 * @param text in small letters
 * @returns undefined where the text has no letter
 */
export function makeTypo(text: string, random: Random): string | undefined {
  const letters = [...text];
  const places = letters.flatMap((letter, place) => (/\p{L}/u.test(letter) ? [place] : []));
  if (places.length === 0) return undefined;
  const place = random.pick(places);
  const letter = letters[place] ?? "";
  const error = random.pick(ERRORS);
  if (error === "insert") letters.splice(place + random.below(2), 0, otherLetter(letter, random));
  if (error === "delete") letters.splice(place, 1);
  if (error === "replace") letters[place] = otherLetter(letter, random);
  if (error === "transpose") {
    const next = letters[place + 1];
    if (next === undefined || !/\p{L}/u.test(next)) return text;
    letters.splice(place, 2, next, letter);
  }
  return letters.join("");
}

const ERRORS = ["insert", "delete", "replace", "transpose"] as const;

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** The keys around each letter of a QWERTY keyboard, whose rows are each half a key to the right of the one above. */
const NEIGHBOURS: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.flatMap((row, line) =>
    [...row].map((key, column) => [
      key,
      [
        ROWS[line]?.[column - 1],
        ROWS[line]?.[column + 1],
        ROWS[line - 1]?.[column],
        ROWS[line - 1]?.[column + 1],
        ROWS[line + 1]?.[column - 1],
        ROWS[line + 1]?.[column],
      ].filter((neighbour) => neighbour !== undefined),
    ]),
  ),
);

function otherLetter(letter: string, random: Random): string {
  const neighbours = NEIGHBOURS.get(letter);
  return neighbours !== undefined && random.chance(0.5) ? random.pick(neighbours) : random.pick(ALPHABET);
}
