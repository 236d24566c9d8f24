import { joinedTexts } from "./builders.ts";
import type { SectionList, Sections } from "./sections.ts";

/**
 * A word as the index holds it: `ij`, which `normalise` makes of every `y`, is one letter, and no other word has a `y`. So
 * a slip in it is one slip.
 */
export function codeWord(word: string): string {
  return word.includes("ij") ? word.replaceAll("ij", "y") : word;
}

/** A UTF-16 surrogate: half of a character beyond the first 65,536. */
const SURROGATE = /[\ud800-\udfff]/;

/** Coded words in the order of their code points, which is that of their UTF-8. */
export function sortedWords(words: Iterable<string>): string[] {
  // The default order is by UTF-16, which differs for surrogates alone, and takes a tenth of the time.
  const sorted = [...words].sort();
  return sorted.some((word) => SURROGATE.test(word))
    ? sorted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : sorted;
}

/** @param words coded, and sorted by {@link sortedWords} */
export function dictionarySections(words: readonly string[]): SectionList {
  const { bytes, starts } = joinedTexts(words);
  return [
    ["words.bytes", bytes],
    ["words.starts", starts],
  ];
}

/** The sorted dictionary: every word of the index has its place in it as its number, so that words with one beginning are a range. */
export class Dictionary {
  readonly bytes: Buffer;
  /** Where each word begins, and the last one ends. */
  readonly starts: Uint32Array;
  readonly count: number;

  constructor(sections: Sections) {
    this.bytes = sections.bytes("words.bytes");
    this.starts = sections.u32("words.starts");
    this.count = this.starts.length - 1;
  }

  /** A word by its number, coded. */
  word(number: number): string {
    return this.bytes.toString("utf8", this.starts[number], this.starts[number + 1]);
  }

  /** How many bytes a word has. */
  bytesOf(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }
}
