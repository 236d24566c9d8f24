import { U32Builder } from "./builders.ts";
import type { Dictionary } from "./dictionary.ts";
import type { SectionList, Sections } from "./sections.ts";

/** A range of words by number, the end not included. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

const ROOT = 0;

/**
 * A breadth-first trie over the sorted dictionary (nodes in the order of levels, so that children stand side by side): a node
 * is a byte, the number of its first child and the first word below it.
 */
export function trieSections({ bytes, starts, count }: Dictionary): SectionList {
  const labels = new U32Builder();
  const firstChild = new U32Builder();
  const firstWord = new U32Builder();
  labels.push(0);
  firstWord.push(0);
  let level: { from: Uint32Array; to: Uint32Array } = { from: Uint32Array.of(0), to: Uint32Array.of(count) };
  // A word may have a million letters, and a level each: two levels share their arrays in turns.
  let [from, to, fromBefore, toBefore] = [
    new U32Builder(),
    new U32Builder(),
    new U32Builder(),
    new U32Builder(),
  ];
  for (let depth = 0; level.from.length > 0; depth++) {
    [from, to, fromBefore, toBefore] = [fromBefore, toBefore, from, to];
    from.length = 0;
    to.length = 0;
    for (let node = 0; node < level.from.length; node++) {
      firstChild.push(labels.length);
      const end = level.to[node] ?? 0;
      let word = level.from[node] ?? 0;
      // The word that ends here is the first of its range.
      if (word < end && (starts[word + 1] ?? 0) - (starts[word] ?? 0) === depth) word++;
      while (word < end) {
        const label = bytes[(starts[word] ?? 0) + depth] ?? 0;
        const first = word;
        do word++;
        while (word < end && bytes[(starts[word] ?? 0) + depth] === label);
        labels.push(label);
        firstWord.push(first);
        from.push(first);
        to.push(word);
      }
    }
    level = { from: from.view(), to: to.view() };
  }
  firstChild.push(labels.length);
  return [
    ["trie.labels", Uint8Array.from(labels.view())],
    ["trie.firstChild", firstChild.view()],
    ["trie.firstWord", firstWord.view()],
  ];
}

/** Finds words, and the range of words with one beginning, byte by byte from the root. */
export class Trie {
  readonly labels: Uint8Array;
  /** The children of a node are those from its entry to the next one's. */
  readonly firstChild: Uint32Array;
  /** The first of the words below each node. */
  readonly firstWord: Uint32Array;
  readonly dictionary: Dictionary;

  constructor(sections: Sections, dictionary: Dictionary) {
    this.labels = sections.bytes("trie.labels");
    this.firstChild = sections.u32("trie.firstChild");
    this.firstWord = sections.u32("trie.firstWord");
    this.dictionary = dictionary;
  }

  /** The words that begin so; undefined when there is none. */
  rangeOf(beginning: string): WordRange | undefined {
    let node = ROOT;
    let to = this.dictionary.count;
    // Letters of ASCII are their own bytes: most words need no buffer.
    const bytes = isAscii(beginning) ? undefined : Buffer.from(beginning);
    const length = bytes?.length ?? beginning.length;
    for (let at = 0; at < length; at++) {
      const end = this.firstChild[node + 1] ?? 0;
      let child = this.firstChild[node] ?? 0;
      const label = bytes === undefined ? beginning.charCodeAt(at) : bytes[at];
      while (child < end && this.labels[child] !== label) child++;
      if (child === end) return undefined;
      if (child + 1 < end) to = this.firstWord[child + 1] ?? 0;
      node = child;
    }
    return { from: this.firstWord[node] ?? 0, to };
  }

  /** The number of a word; undefined when there is none such. */
  find(word: string): number | undefined {
    const range = this.rangeOf(word);
    if (range === undefined) return undefined;
    const bytes = isAscii(word) ? word.length : Buffer.byteLength(word);
    return this.dictionary.bytesOf(range.from) === bytes ? range.from : undefined;
  }

  /**
   * The words that begin so as somebody types: a last `i` may become the letter `ij`, which words hold as one.
   */
  startsWith(coded: string): readonly WordRange[] {
    const ranges = [this.rangeOf(coded)];
    if (coded.endsWith("i")) ranges.push(this.rangeOf(`${coded.slice(0, -1)}y`));
    return ranges.filter((range) => range !== undefined);
  }

  /**
   * The words with which a name may begin whose words, written as one, begin with `letters` (UTF-8, without spaces, `ij` as two letters): those
   * that the letters begin with, and those that begin with the letters. Ranges ascend.
   */
  firstWordsOf(letters: Uint8Array): WordRange[] {
    const found: WordRange[] = [];
    this.#firstWords(ROOT, this.dictionary.count, letters, 0, 0, found);
    return found.sort((a, b) => a.from - b.from);
  }

  #firstWords(
    node: number,
    to: number,
    letters: Uint8Array,
    at: number,
    depth: number,
    found: WordRange[],
  ): void {
    const from = this.firstWord[node] ?? 0;
    if (at >= letters.length) {
      found.push({ from, to });
      return;
    }
    if (depth > 0 && this.dictionary.bytesOf(from) === depth) found.push({ from, to: from + 1 });
    const letter = letters[at];
    const end = this.firstChild[node + 1] ?? 0;
    for (let child = this.firstChild[node] ?? 0; child < end; child++) {
      const label = this.labels[child];
      const isIj = label === LETTER_Y && letter === LETTER_I && (letters[at + 1] ?? LETTER_J) === LETTER_J;
      if (label !== letter && !isIj) continue;
      const next = child + 1 < end ? (this.firstWord[child + 1] ?? 0) : to;
      this.#firstWords(child, next, letters, at + (isIj ? 2 : 1), depth + 1, found);
    }
  }
}

const LETTER_I = 0x69;
const LETTER_J = 0x6a;
const LETTER_Y = 0x79;

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
