import { withoutLegalForm } from "../../src/search/legalFormWords.ts";
import { normalise } from "../../src/search/normalise.ts";

/** A name split into words as written; words that state only the legal form stand apart. */
export interface TypedName {
  /** As registered. */
  readonly name: string;
  readonly before: readonly string[];
  /** At least one: the name without its legal form. */
  readonly words: readonly string[];
  readonly after: readonly string[];
}

/** Splits a name at its spaces. */
export function typedName(name: string): TypedName {
  const parts = name.trim().split(/\s+/);
  const target = withoutLegalForm(normalise(name));
  for (let from = 0; from < parts.length; from++) {
    for (let to = parts.length; to > from; to--) {
      const words = parts.slice(from, to);
      if (normalise(words.join(" ")) === target) {
        return { name, before: parts.slice(0, from), words, after: parts.slice(to) };
      }
    }
  }
  return { name, before: [], words: parts, after: [] };
}

/** The name with `count` of its words, from index `from`, replaced; the legal form stays. */
export function withWords(
  { before, words, after }: TypedName,
  from: number,
  count: number,
  ...replacements: readonly string[]
): string {
  return [...before, ...words.toSpliced(from, count, ...replacements), ...after].join(" ");
}

/** The number of letters and digits. */
export function lengthOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
