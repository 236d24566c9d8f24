import type { Random } from "../../src/demo/registry/random.ts";
import { normalise } from "../../src/search/normalise.ts";
import { lengthOf, type TypedName, withWords } from "./typedName.ts";

/** Attempts to make a typo that changes the name: swapping two equal letters does not. */
const MAX_TRIES = 20;
const ERRORS = ["insert", "delete", "replace", "transpose"] as const;
const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** The keys around each letter on a QWERTY keyboard; each row is shifted half a key to the right of the one above. */
const NEIGHBOURS: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.flatMap((row, line) =>
    [...row].map((key, column) => {
      const [above, below] = [ROWS[line - 1], ROWS[line + 1]];
      const around = [row[column - 1], row[column + 1], above?.[column], above?.[column + 1]];
      return [key, [...around, below?.[column - 1], below?.[column]].filter((one) => one !== undefined)];
    }),
  ),
);

/** Returns the name with typos; undefined if it has fewer letters than `minLetters`. */
export function withTypos(
  name: TypedName,
  random: Random,
  typos: number,
  minLetters: number,
): string | undefined {
  if (lengthOf(name.words.join("")) < minLetters) return undefined;
  let text = name.words.join(" ").toLowerCase();
  const seen = new Set([normalise(text)]);
  for (let tries = 0; tries < MAX_TRIES * typos && seen.size <= typos; tries++) {
    const next = makeTypo(text, random);
    // The second typo must not undo the first.
    if (next === undefined || seen.has(normalise(next))) continue;
    seen.add(normalise(next));
    text = next;
  }
  return seen.size <= typos ? undefined : withWords(name, 0, name.words.length, text);
}

/**
 * Makes one of the four errors of Damerau (A technique for computer detection and correction of spelling errors, 1964)
 * at a random letter. Half of the wrong and added letters are neighbours on the keyboard, half are any letter.
 * @param text in lower case
 * @returns undefined if the text has no letter
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

/** Half of the letters are neighbours on the keyboard, half are any letter. */
export function otherLetter(letter: string, random: Random): string {
  const neighbours = NEIGHBOURS.get(letter);
  return neighbours !== undefined && random.chance(0.5) ? random.pick(neighbours) : random.pick(ALPHABET);
}
