import type { Texts } from "./bilingual.ts";

/** The hyphen of words such as "KVK-nummer", "JSON-bestand" and "e-mailadres". */
const HYPHEN = /(?<=(?<!\p{L})(?:\p{Lu}{2,5}|[Bb]tw|[Ee]))-(?=\p{L})/gu;
const NON_BREAKING_HYPHEN = "\u2011";

/** Prevents line breaks after an abbreviation. For the screen only, not for files or copied text. */
export const nonBreaking = (text: string) => text.replace(HYPHEN, NON_BREAKING_HYPHEN);

const made = new WeakMap<object, Texts>();

/** Does the same for all texts of a screen, and caches the result. */
export function nonBreakingTexts(texts: Texts): Texts {
  const known = made.get(texts);
  if (known !== undefined) return known;
  const all = Object.entries(texts).map(([name, text]) => {
    if (typeof text === "string") return [name, nonBreaking(text)];
    if (typeof text === "object") return [name, nonBreakingTexts(text)];
    return [name, (...values: never[]) => nonBreaking(text(...values))];
  });
  const result = Object.fromEntries(all) as Texts;
  made.set(texts, result);
  return result;
}
