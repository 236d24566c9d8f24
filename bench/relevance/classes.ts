import type { Random } from "../../src/demo/registry/random.ts";
import { normalise } from "../../src/search/normalise.ts";
import { HABITS, type Rule, rewrites, SOUND_ALIKE, WORDINGS } from "./rewriting.ts";
import { lengthOf, type TypedName, withWords } from "./typedName.ts";
import { withTypos } from "./typos.ts";

/** One way in which people type a name. */
export interface QueryClass {
  readonly id: string;
  /** For the report. */
  readonly title: string;
  /** Returns the query; undefined if this name cannot be typed in this way. All chance comes from `random`. */
  readonly type: (name: TypedName, random: Random) => string | undefined;
  /** The query is cut off, so it may be the whole name of another company. */
  readonly isBeginning?: true;
  /** The shares of real names that must be found first, and on any of the shown places. */
  readonly min?: { readonly first?: number; readonly shown?: number };
}

/** Every class, in the order of the report. */
export const CLASSES: readonly QueryClass[] = [
  { id: "full", title: "full name", isBeginning: true, type: ({ name }) => name, min: { first: 0.995 } },
  ...[3, 5, 8].map((count): QueryClass => {
    const type: QueryClass["type"] = ({ name }) => firstLetters(name, count);
    return { id: `first-${count}`, title: `first ${count} letters`, isBeginning: true, type };
  }),
  {
    id: "first-60%",
    title: "first 60 % of the name",
    isBeginning: true,
    type: ({ name }) => [...name].slice(0, Math.ceil([...name].length * 0.6)).join(""),
    min: { shown: 0.98 },
  },
  {
    id: "word-left-out",
    title: "a word left out, of three or more",
    type: leaveWordOut,
    min: { shown: 0.97 },
  },
  { id: "words-swapped", title: "two words swapped", type: swapWords, min: { first: 0.99 } },
  {
    id: "one-typo",
    title: "one typo",
    type: (name, random) => withTypos(name, random, 1, 4),
    min: { first: 0.93, shown: 0.97 },
  },
  {
    id: "two-typos",
    title: "two typos, 12 letters or more",
    type: (name, random) => withTypos(name, random, 2, 12),
  },
  { id: "space-lost", title: "a space lost", type: loseSpace, min: { shown: 0.99 } },
  { id: "space-added", title: "a space added inside a word", type: addSpace, min: { shown: 0.99 } },
  {
    id: "accents-dropped",
    title: "accents dropped",
    type: ({ name }) => {
      const plain = name.normalize("NFD").replace(/\p{M}/gu, "");
      return plain === name.normalize("NFD") ? undefined : plain;
    },
  },
  {
    id: "form-dropped",
    title: "legal form dropped",
    type: (name) => (hasForm(name) ? name.words.join(" ") : undefined),
  },
  { id: "form-added", title: "legal form added that the name lacks", type: addForm },
  { id: "spoken", title: "spelled as it sounds", type: respell },
  { id: "habit", title: "written by another habit", type: rewritten(HABITS) },
  { id: "wording", title: "in other words", type: rewritten(WORDINGS) },
];

function pickOne<T>(list: readonly T[], random: Random): T | undefined {
  return list.length === 0 ? undefined : random.pick(list);
}

function rewritten(rules: readonly Rule[]): QueryClass["type"] {
  return ({ name }, random) => pickOne(rewrites(name, rules), random);
}

/** The name up to its `count`-th letter or digit; undefined if it has no more. */
function firstLetters(name: string, count: number): string | undefined {
  return new RegExp(`^(?:[^\\p{L}\\p{N}]*[\\p{L}\\p{N}]){${count}}(?=.*[\\p{L}\\p{N}])`, "u").exec(name)?.[0];
}

/** The indexes of the words that have a letter or a digit. */
function readable({ words }: TypedName): number[] {
  return words.flatMap((word, place) => (lengthOf(word) > 0 ? [place] : []));
}

/** From shorter names, one word remains that many names have. */
function leaveWordOut(name: TypedName, random: Random): string | undefined {
  const places = readable(name);
  return places.length < 3 ? undefined : withWords(name, random.pick(places), 1);
}

function swapWords(name: TypedName, random: Random): string | undefined {
  const { words } = name;
  const places = readable(name);
  const one = places[random.below(places.length)] ?? 0;
  const isDifferent = (place: number) => normalise(words[place] ?? "") !== normalise(words[one] ?? "");
  const other = pickOne(places.filter(isDifferent), random);
  if (other === undefined) return undefined;
  const swapped = words.with(one, words[other] ?? "").with(other, words[one] ?? "");
  return withWords(name, 0, words.length, ...swapped);
}

function loseSpace(name: TypedName, random: Random): string | undefined {
  const { words } = name;
  if (words.length < 2) return undefined;
  const place = random.below(words.length - 1);
  return withWords(name, place, 2, `${words[place]}${words[place + 1]}`);
}

/** Cuts a word between two letters, with at least two letters on either side. */
function addSpace(name: TypedName, random: Random): string | undefined {
  const cuts = name.words.flatMap((word, place) =>
    Array.from({ length: word.length }, (_, cut) => [word.slice(0, cut), word.slice(cut)] as const)
      .filter(([start, end]) => /[\p{L}\p{N}]$/u.test(start) && /^[\p{L}\p{N}]/u.test(end))
      .filter((parts) => parts.every((part) => lengthOf(part) >= 2))
      .map((parts) => withWords(name, place, 1, ...parts)),
  );
  return pickOne(cuts, random);
}

function respell(name: TypedName, random: Random): string | undefined {
  const spellings = name.words.flatMap((word, place) =>
    rewrites(word.toLowerCase(), SOUND_ALIKE).map((other) => withWords(name, place, 1, other)),
  );
  return pickOne(spellings, random);
}

function hasForm({ before, after }: TypedName): boolean {
  return before.length + after.length > 0;
}

function addForm(name: TypedName, random: Random): string | undefined {
  if (hasForm(name)) return undefined;
  const form = random.pick(["B.V.", "bv", "BV", "N.V.", "V.O.F.", "Stichting"]);
  return (form === "Stichting" ? [form, ...name.words] : [...name.words, form]).join(" ");
}
