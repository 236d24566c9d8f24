/** The dictionary of the index as a trie: the words with a prefix are a range of word numbers. */
import { U32Builder } from "./builders.ts";
import type { Dictionary } from "./dictionary.ts";
import type { SectionList, Sections } from "./sections.ts";

/** A range of word numbers; `to` is exclusive. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

const ROOT = 0;

/**
 * Builds a trie over the sorted dictionary. A node is a byte, the number of its first child and the first word below
 * it. Nodes are stored breadth-first, so that siblings are adjacent.
 */
export function trieSections({ bytes, starts, count }: Dictionary): SectionList {
  const labels = new U32Builder();
  const firstChild = new U32Builder();
  const firstWord = new U32Builder();
  labels.push(0);
  firstWord.push(0);
  let level: { from: Uint32Array; to: Uint32Array } = { from: Uint32Array.of(0), to: Uint32Array.of(count) };
  // A word may have a million letters, with one level each, so the arrays of two levels are reused in turn.
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
      // A word that ends here is the first of its range.
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

/** Finds words and ranges of words with a common prefix. */
export class Trie {
  readonly labels: Uint8Array;
  /** The children of a node end where those of the next node begin. */
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

  /** Returns the words with a prefix; undefined when there are none. */
  rangeWithPrefix(beginning: string): WordRange | undefined {
    let node = ROOT;
    let to = this.dictionary.count;
    // ASCII letters are single bytes, so most words need no buffer.
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

  /** Returns the number of a word; undefined when it does not exist. */
  find(word: string): number | undefined {
    const range = this.rangeWithPrefix(word);
    if (range === undefined) return undefined;
    const bytes = isAscii(word) ? word.length : Buffer.byteLength(word);
    return this.dictionary.bytesOf(range.from) === bytes ? range.from : undefined;
  }

  /**
   * Returns the words with a partly typed prefix. A final `i` may be the start of `ij`, which words store as one
   * letter.
   */
  rangesWhileTyping(coded: string): readonly WordRange[] {
    const ranges = [this.rangeWithPrefix(coded)];
    if (coded.endsWith("i")) ranges.push(this.rangeWithPrefix(`${coded.slice(0, -1)}y`));
    return ranges.filter((range) => range !== undefined);
  }

  /**
   * Returns the possible first words of a name whose words, joined, begin with `letters`: words that are a prefix of
   * the letters, and words that begin with them. Ranges ascend.
   * @param letters UTF-8 without spaces, `ij` as two letters
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
