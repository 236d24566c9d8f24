import { GrowingTexts } from "./growing.ts";
import type { SectionList, Sections } from "./sections.ts";

/**
 * A word as the index holds it: `ij`, which `normalise` makes of every `y`, is one letter, and no other word has a `y`. So
 * a slip in it is one slip.
 */
export function codeWord(word: string): string {
  return word.includes("ij") ? word.replaceAll("ij", "y") : word;
}

/** What a word of the index was before {@link codeWord}. */
export function decodeWord(coded: string): string {
  return coded.includes("y") ? coded.replaceAll("y", "ij") : coded;
}

/** The words in the order of their UTF-8 bytes, which is that of their code points. */
export function sortedWords(words: Iterable<string>): string[] {
  const sorted = [...words];
  const hasAstral = sorted.some((word) => /[\ud800-\udfff]/.test(word));
  // The order of JavaScript is that of UTF-16 units, which differs for letters beyond the first 65,536 only.
  return hasAstral ? sorted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))) : sorted.sort();
}

export function dictionarySections(sorted: readonly string[]): SectionList {
  const texts = new GrowingTexts();
  for (const word of sorted) texts.push(word);
  const { bytes, starts } = texts.view();
  return [
    ["words.bytes", bytes],
    ["words.starts", starts],
  ];
}

/** The sorted dictionary: every word of the index has its place in it as its number, so that words with one beginning are a range. */
export class Dictionary {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly count: number;

  constructor(sections: Sections) {
    this.bytes = sections.text("words.bytes");
    this.starts = sections.u32("words.starts");
    this.count = this.starts.length - 1;
  }

  /** A word by its number, coded. */
  word(number: number): string {
    return this.bytes.toString("utf8", this.starts[number] ?? 0, this.starts[number + 1] ?? 0);
  }

  /** How many bytes a word has. */
  bytesOf(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }
}
