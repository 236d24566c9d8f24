import type { Phrases } from "./bilingual.ts";

/** Before the rest of a word such as "KVK-nummer", "JSON-bestand" or "e-mailadres", where a line would break. */
const HYPHEN = /(?<=(?<!\p{L})(?:\p{Lu}{2,5}|[Bb]tw|[Ee]))-(?=\p{L})/gu;
const NON_BREAKING_HYPHEN = "\u2011";

/** A text in which no line breaks behind an abbreviation: for the screen, not for files or what people copy. */
export const unbroken = (text: string) => text.replace(HYPHEN, NON_BREAKING_HYPHEN);

const made = new WeakMap<object, Phrases>();

/** The same of all texts of a screen, made once. */
export function unbrokenPhrases(phrases: Phrases): Phrases {
  const known = made.get(phrases);
  if (known !== undefined) return known;
  const all = Object.entries(phrases).map(([name, phrase]) => {
    if (typeof phrase === "string") return [name, unbroken(phrase)];
    if (typeof phrase === "object") return [name, unbrokenPhrases(phrase)];
    return [name, (...values: never[]) => unbroken(phrase(...values))];
  });
  const result = Object.fromEntries(all) as Phrases;
  made.set(phrases, result);
  return result;
}
