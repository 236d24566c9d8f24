import { joinedTexts } from "./builders.ts";
import type { SectionList, Sections } from "./sections.ts";

/**
 * Encodes a word for the index: replaces `ij` by `y`, so that it counts as one letter in typos. Normalised words
 * contain no other `y`.
 */
export function codeWord(word: string): string {
  return word.includes("ij") ? word.replaceAll("ij", "y") : word;
}

/** A UTF-16 surrogate. */
const SURROGATE = /[\ud800-\udfff]/;

/** Sorts encoded words by code point, which is the order of their UTF-8 bytes. */
export function sortedWords(words: Iterable<string>): string[] {
  // The default order by UTF-16 is much faster and differs only for surrogates.
  const sorted = [...words].sort();
  return sorted.some((word) => SURROGATE.test(word))
    ? sorted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : sorted;
}

/** @param words encoded, and sorted by {@link sortedWords} */
export function dictionarySections(words: readonly string[]): SectionList {
  const { bytes, starts } = joinedTexts(words);
  return [
    ["words.bytes", bytes],
    ["words.starts", starts],
  ];
}

/** The sorted words of the index. The number of a word is its position, so words with a common prefix form a range. */
export class Dictionary {
  readonly bytes: Buffer;
  /** The offset of each word, then the end of the last one. */
  readonly starts: Uint32Array;
  readonly count: number;

  constructor(sections: Sections) {
    this.bytes = sections.bytes("words.bytes");
    this.starts = sections.u32("words.starts");
    this.count = this.starts.length - 1;
  }

  /** Returns an encoded word by its number. */
  word(number: number): string {
    return this.bytes.toString("utf8", this.starts[number], this.starts[number + 1]);
  }

  /** The length of a word in bytes. */
  bytesOf(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }
}
