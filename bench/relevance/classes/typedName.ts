import { withoutLegalForm } from "../../../src/search/legalWords.ts";
import { normalise } from "../../../src/search/normalise.ts";

/** A name cut into its words as they are written, and which of them only say the legal form. */
export interface TypedName {
  /** As it is registered. */
  readonly name: string;
  readonly before: readonly string[];
  /** At least one: what is left of the name without its legal form. */
  readonly words: readonly string[];
  readonly after: readonly string[];
}

/** Cuts a name at its spaces. */
export function typedName(name: string): TypedName {
  const parts = name.trim().split(/\s+/);
  const wanted = withoutLegalForm(normalise(name));
  for (let from = 0; from < parts.length; from++) {
    for (let to = parts.length; to > from; to--) {
      const words = parts.slice(from, to);
      if (normalise(words.join(" ")) === wanted) {
        return { name, before: parts.slice(0, from), words, after: parts.slice(to) };
      }
    }
  }
  return { name, before: [], words: parts, after: [] };
}

/** The name with other words in the place of its own, the legal form as it was. */
export function withWords({ before, after }: TypedName, words: readonly string[]): string {
  return [...before, ...words, ...after].join(" ");
}

/** How many letters and digits the words have. */
export function lengthOf(words: readonly string[]): number {
  return words.join("").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
