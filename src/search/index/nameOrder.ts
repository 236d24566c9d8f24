import { EXTRA_WORD, type NameWords } from "./nameWords.ts";
import type { WordLists } from "./postings.ts";
import { blockMinima, RangeMinimum } from "./rangeMinimum.ts";
import type { SectionList, Sections } from "./sections.ts";
import type { WordRange } from "./trie.ts";

/** Smaller parts are sorted by comparison. */
const MAX_COMPARED = 12;

/** Builds the ranks of all names, sorted by their word numbers, so that names with a common prefix are adjacent. */
export function nameOrderSections(lists: WordLists, words: number): SectionList {
  const order = sortByWords(lists);
  const firsts = new Uint32Array(words + 2);
  // Names without words come first.
  for (let rank = 0; rank < order.length; rank++) {
    const first = wordAt(lists, rank, 0);
    firsts[first + 1] = (firsts[first + 1] ?? 0) + 1;
  }
  for (let word = 0; word <= words; word++) firsts[word + 1] = (firsts[word + 1] ?? 0) + (firsts[word] ?? 0);
  return [
    ["order.ranks", order],
    ["order.minima", blockMinima(order)],
    ["order.firsts", firsts],
  ];
}

/** Returns the number of a name's nth word plus one; 0 after the last word. */
function wordAt({ starts, words }: WordLists, rank: number, nth: number): number {
  const at = (starts[rank] ?? 0) + nth;
  if (at >= (starts[rank + 1] ?? 0)) return 0;
  const word = words[at] ?? 0;
  return word >= EXTRA_WORD ? 0 : word + 1;
}

/**
 * A radix sort by words: all names by the first word, those with the same first word by the second, and so on. Each pass sorts 64-bit numbers of
 * word and rank.
 */
function sortByWords(lists: WordLists): Uint32Array {
  const names = lists.starts.length - 1;
  const sorted = new Uint32Array(names);
  for (let rank = 0; rank < names; rank++) sorted[rank] = rank;
  const pairs = new BigUint64Array(names);
  const halves = new Uint32Array(pairs.buffer);
  const pending: [from: number, to: number, nth: number][] = [[0, names, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to, nth] = next;
    if (to - from <= MAX_COMPARED) {
      sorted.subarray(from, to).sort((a, b) => compare(lists, a, b, nth));
      continue;
    }
    for (let at = from; at < to; at++) {
      const rank = sorted[at] ?? 0;
      halves[2 * at] = rank;
      halves[2 * at + 1] = wordAt(lists, rank, nth);
    }
    pairs.subarray(from, to).sort();
    for (let at = from; at < to; at++) sorted[at] = halves[2 * at] ?? 0;
    for (let first = from; first < to; ) {
      const word = halves[2 * first + 1];
      let next = first + 1;
      while (next < to && halves[2 * next + 1] === word) next++;
      if (word !== 0 && next - first > 1) pending.push([first, next, nth + 1]);
      first = next;
    }
  }
  return sorted;
}

function compare(lists: WordLists, a: number, b: number, nth: number): number {
  for (let index = nth; ; index++) {
    const [wordOfA, wordOfB] = [wordAt(lists, a, index), wordAt(lists, b, index)];
    if (wordOfA !== wordOfB) return wordOfA - wordOfB;
    if (wordOfA === 0) return a - b;
  }
}

/** Names sorted by their words. */
export class NameOrder {
  /** Sorted by the words of the names. */
  readonly #ranks: Uint32Array;
  /** For each word, the first position of names that begin with it. */
  readonly #firstPositions: Uint32Array;
  readonly #minimum: RangeMinimum;
  readonly #nameWords: NameWords;

  constructor(sections: Sections, nameWords: NameWords) {
    this.#ranks = sections.u32("order.ranks");
    this.#firstPositions = sections.u32("order.firsts");
    this.#minimum = new RangeMinimum(this.#ranks, sections.u32("order.minima"));
    this.#nameWords = nameWords;
  }

  /** Yields the ranks of names that begin with `words` followed by a word of `last`, ascending. */
  withPrefix(words: readonly number[], last: WordRange): Generator<number> {
    const from = this.#positionOf([...words, last.from]);
    const to = this.#positionOf([...words, last.to]);
    return this.#minimum.ascending(from, to);
  }

  /** Returns the first position whose name does not sort before these words. */
  #positionOf(words: readonly number[]): number {
    const first = words[0] ?? 0;
    let low = this.#firstPositions[first + 1] ?? 0;
    if (words.length === 1) return low;
    let high = this.#firstPositions[first + 2] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(this.#ranks[middle] ?? 0, words)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(rank: number, words: readonly number[]): boolean {
    for (let nth = 1; nth < words.length; nth++) {
      const own = this.#nameWords.wordAt(rank, nth);
      const next = (words[nth] ?? 0) + 1;
      if (own !== next) return own < next;
    }
    return false;
  }
}
