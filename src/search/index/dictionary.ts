import type { ByteTable } from "./byteTable.ts";
import { GrowingBytes } from "./growing.ts";
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

/** @param words coded, and `sorted` their numbers in the order of their bytes, which is that of their code points */
export function dictionarySections(words: ByteTable, sorted: Uint32Array): SectionList {
  const bytes = new GrowingBytes();
  const starts = new Uint32Array(sorted.length + 1);
  for (let nth = 0; nth < sorted.length; nth++) {
    const number = sorted[nth] ?? 0;
    bytes.append(words.bytes, words.starts[number] ?? 0, words.starts[number + 1] ?? 0);
    starts[nth + 1] = bytes.length;
  }
  return [
    ["words.bytes", bytes.view()],
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
    this.bytes = sections.text("words.bytes");
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
