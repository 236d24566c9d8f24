import { normalise } from "../../../src/search/normalise.ts";
import type { QueryClass } from "./queryClass.ts";
import { lengthOf, withWords } from "./typedName.ts";

/** With fewer, what is left is one word that many names have. */
const LEAST_WORDS_TO_LEAVE_ONE_OUT = 3;
/** A word is split into parts of so many letters at least. */
const LEAST_PART = 2;

export const WORD_LEFT_OUT: QueryClass = {
  id: "word-left-out",
  title: "a word left out, of three or more",
  isBeginning: false,
  type: (name, random) => {
    const places = readable(name.words);
    if (places.length < LEAST_WORDS_TO_LEAVE_ONE_OUT) return undefined;
    const left = random.pick(places);
    return withWords(
      name,
      name.words.filter((_, place) => place !== left),
    );
  },
};

export const WORDS_SWAPPED: QueryClass = {
  id: "words-swapped",
  title: "two words swapped",
  isBeginning: false,
  type: (name, random) => {
    const places = readable(name.words);
    const one = places[random.below(places.length)] ?? 0;
    const others = places.filter(
      (place) => normalise(name.words[place] ?? "") !== normalise(name.words[one] ?? ""),
    );
    if (others.length === 0) return undefined;
    const other = random.pick(others);
    const words = [...name.words];
    [words[one], words[other]] = [words[other] ?? "", words[one] ?? ""];
    return withWords(name, words);
  },
};

export const SPACE_LOST: QueryClass = {
  id: "space-lost",
  title: "a space lost",
  isBeginning: false,
  type: (name, random) => {
    if (name.words.length < 2) return undefined;
    const place = random.below(name.words.length - 1);
    const joined = `${name.words[place]}${name.words[place + 1]}`;
    return withWords(name, [...name.words.slice(0, place), joined, ...name.words.slice(place + 2)]);
  },
};

export const SPACE_ADDED: QueryClass = {
  id: "space-added",
  title: "a space added inside a word",
  isBeginning: false,
  type: (name, random) => {
    const cuts = name.words.flatMap((word, place) => cutsOf(word).map((cut) => ({ place, cut })));
    if (cuts.length === 0) return undefined;
    const { place, cut } = random.pick(cuts);
    const word = name.words[place] ?? "";
    const parts = [word.slice(0, cut), word.slice(cut)];
    return withWords(name, [...name.words.slice(0, place), ...parts, ...name.words.slice(place + 1)]);
  },
};

/** The places of the words that have a letter or a digit. */
function readable(words: readonly string[]): number[] {
  return words.flatMap((word, place) => (lengthOf([word]) > 0 ? [place] : []));
}

/** Where a word can be cut between two letters. */
function cutsOf(word: string): number[] {
  const cuts = Array.from({ length: word.length + 1 }, (_, cut) => cut);
  return cuts.filter(
    (cut) =>
      /[\p{L}\p{N}]$/u.test(word.slice(0, cut)) &&
      /^[\p{L}\p{N}]/u.test(word.slice(cut)) &&
      lengthOf([word.slice(0, cut)]) >= LEAST_PART &&
      lengthOf([word.slice(cut)]) >= LEAST_PART,
  );
}
