import type { Phrases } from "./bilingual.ts";

/** The hyphen of words such as "KVK-nummer", "JSON-bestand" and "e-mailadres". */
const HYPHEN = /(?<=(?<!\p{L})(?:\p{Lu}{2,5}|[Bb]tw|[Ee]))-(?=\p{L})/gu;
const NON_BREAKING_HYPHEN = "\u2011";

/** Prevents line breaks after an abbreviation. For the screen only, not for files or copied text. */
export const nonBreaking = (text: string) => text.replace(HYPHEN, NON_BREAKING_HYPHEN);

const made = new WeakMap<object, Phrases>();

/** Does the same for all texts of a screen, and caches the result. */
export function nonBreakingPhrases(phrases: Phrases): Phrases {
  const known = made.get(phrases);
  if (known !== undefined) return known;
  const all = Object.entries(phrases).map(([name, phrase]) => {
    if (typeof phrase === "string") return [name, nonBreaking(phrase)];
    if (typeof phrase === "object") return [name, nonBreakingPhrases(phrase)];
    return [name, (...values: never[]) => nonBreaking(phrase(...values))];
  });
  const result = Object.fromEntries(all) as Phrases;
  made.set(phrases, result);
  return result;
}
