import type { QueryClass } from "./queryClass.ts";
import { withWords } from "./typedName.ts";

export const ACCENTS_DROPPED: QueryClass = {
  id: "accents-dropped",
  title: "accents dropped",
  isBeginning: false,
  type: ({ name }) => {
    const plain = name.normalize("NFD").replace(/\p{M}/gu, "");
    return plain === name.normalize("NFD") ? undefined : plain;
  },
};

/**
 * Spellings of Dutch names that sound alike, each way round: who hears a name writes one for the other. A pattern says
 * where in a word in small letters; `$` in it is the word's end, `^` its beginning.
 */
const SOUND_ALIKE: readonly (readonly [pattern: RegExp, spelling: string])[] = [
  [/ij/g, "y"],
  [/ij/g, "ei"],
  [/ei/g, "ij"],
  [/y/g, "ij"],
  [/y/g, "i"],
  [/c(?=[aoulrkt])|c$/g, "k"],
  [/k(?=[aoulr])|k$/g, "c"],
  [/c(?=[eiy])/g, "s"],
  [/ck/g, "k"],
  [/ph/g, "f"],
  [/f/g, "ph"],
  [/th/g, "t"],
  [/t(?=[eiorhu])/g, "th"],
  [/au/g, "ou"],
  [/ou/g, "au"],
  [/d$/g, "t"],
  [/t$/g, "d"],
  [/dt$/g, "t"],
  [/x/g, "ks"],
  [/ks/g, "x"],
  [/qu/g, "kw"],
  [/kw/g, "qu"],
  [/^v/g, "f"],
  [/^z/g, "s"],
  [/ch(?!$)/g, "g"],
  [/gh/g, "g"],
  [/ae/g, "aa"],
  [/oe/g, "u"],
  [/ie/g, "i"],
];

export const SPOKEN: QueryClass = {
  id: "spoken",
  title: "spelled as it sounds",
  isBeginning: false,
  type: (name, random) => {
    const ways = name.words.flatMap((word, place) =>
      soundAlikes(word.toLowerCase()).map((other) => ({ place, other })),
    );
    if (ways.length === 0) return undefined;
    const { place, other } = random.pick(ways);
    return withWords(
      name,
      name.words.map((word, at) => (at === place ? other : word)),
    );
  },
};

/** Every other spelling of a word in small letters, one sound respelled at one place. */
export function soundAlikes(word: string): string[] {
  return SOUND_ALIKE.flatMap(([pattern, spelling]) =>
    [...word.matchAll(pattern)].map(
      ({ 0: found, index }) => word.slice(0, index) + spelling + word.slice(index + found.length),
    ),
  );
}
