import type { QueryClass } from "./queryClass.ts";

const DIGITS = [
  "nul",
  "een",
  "twee",
  "drie",
  "vier",
  "vijf",
  "zes",
  "zeven",
  "acht",
  "negen",
  "tien",
  "elf",
  "twaalf",
];
const ENGLISH_DIGITS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/** What one person writes out and another cuts short, as a pattern over the name and what stands in its place. */
type Habit = readonly [pattern: RegExp, written: string | ((found: string) => string | undefined)];

const oneOf = (words: readonly string[]) => new RegExp(`(?<!\\S)(?:${words.join("|")})(?!\\S)`, "giu");
const numberOf = (words: readonly string[]) => (found: string) => String(words.indexOf(found.toLowerCase()));

/** Habits of whoever writes Dutch names; of "St." both Sint and Stichting, as people do. */
const HABITS: readonly Habit[] = [
  [/(?<!\S)van (?:de|der|den)(?!\S)/giu, "v.d."],
  [/(?<!\S)van (?:de|der|den)(?!\S)/giu, "v/d"],
  [/(?<!\S)van (?:de|der|den)(?!\S)/giu, "vd"],
  [/(?<!\S)gebroeders(?!\S)/giu, "gebr."],
  [/(?<!\S)gebr\.?(?!\S)/giu, "gebroeders"],
  [/(?<!\S)(?:stichting|sint)(?!\S)/giu, "st."],
  [/(?<!\S)st\.(?!\S)/giu, "sint"],
  [/(?<!\S)(?:en|and|&)(?!\S)/giu, (found) => (found === "&" ? "en" : "&")],
  [/(?<!\S)(?:en|&)(?!\S)/giu, "+"],
  [/(?<!\S)&(?!\S)/giu, "and"],
  [/(?<!\S)\d{1,2}(?!\S)/gu, (found) => DIGITS[Number(found)]],
  [/(?<!\S)\d{1,2}(?!\S)/gu, (found) => ENGLISH_DIGITS[Number(found)]],
  // "Een" is an article far more often than a number.
  [oneOf(DIGITS.slice(2)), numberOf(DIGITS)],
  [oneOf(ENGLISH_DIGITS), numberOf(ENGLISH_DIGITS)],
];

export const HABIT: QueryClass = {
  id: "habit",
  title: "written by another habit",
  isBeginning: false,
  type: ({ name }, random) => {
    const others = otherHabits(name);
    return others.length === 0 ? undefined : random.pick(others);
  },
};

/** A name with one word, or a few that belong together, written by another habit: `Jansen + Zn` for `Jansen & Zn`. */
export function otherHabits(name: string): string[] {
  return HABITS.flatMap(([pattern, written]) =>
    [...name.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const other = typeof written === "string" ? written : written(found);
      return other === undefined ? [] : [name.slice(0, index) + other + name.slice(index + found.length)];
    }),
  );
}
