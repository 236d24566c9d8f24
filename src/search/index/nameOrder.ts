import { EXTRA_WORD, type NameWords } from "./nameWords.ts";
import type { WordLists } from "./postings.ts";
import { blockMinima, RangeMinimum } from "./rangeMinimum.ts";
import { addUp } from "./rankSets.ts";
import type { SectionList, Sections } from "./sections.ts";
import type { WordRange } from "./trie.ts";

/** Up to this many names are sorted by comparison. */
const MAX_COMPARED = 12;

/** Builds the ranks of all names, sorted by their word numbers, so that names with a common prefix are adjacent. */
export function nameOrderSections(lists: WordLists, words: number): SectionList {
  const order = sortByWords(lists);
  const firstPositions = new Uint32Array(words + 2);
  // Names without words come first.
  for (let rank = 0; rank < order.length; rank++) {
    const first = wordAt(lists, rank, 0);
    firstPositions[first + 1] = (firstPositions[first + 1] ?? 0) + 1;
  }
  addUp(firstPositions);
  return [
    ["order.ranks", order],
    ["order.minima", blockMinima(order)],
    ["order.firsts", firstPositions],
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
 * A radix sort by words: all names by the first word, those with the same first word by the second, and so on. Each
 * pass sorts 64-bit numbers: the word in the upper half, the rank in the lower one.
 */
function sortByWords(lists: WordLists): Uint32Array {
  const names = lists.starts.length - 1;
  const sorted = new Uint32Array(names);
  for (let rank = 0; rank < names; rank++) sorted[rank] = rank;
  const pairs = new BigUint64Array(names);
  const halves = new Uint32Array(pairs.buffer);
  /** Ranges of `sorted` whose names have the same first `nth` words. */
  const pending: [from: number, to: number, nth: number][] = [[0, names, 0]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [from, to, nth] = range;
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
      let end = first + 1;
      while (end < to && halves[2 * end + 1] === word) end++;
      // Names that end here are already sorted, by rank.
      if (word !== 0 && end - first > 1) pending.push([first, end, nth + 1]);
      first = end;
    }
  }
  return sorted;
}

/** Compares two names with the same first `nth` words: by their other words, then by rank. */
function compare(lists: WordLists, a: number, b: number, nth: number): number {
  for (let index = nth; ; index++) {
    const [wordOfA, wordOfB] = [wordAt(lists, a, index), wordAt(lists, b, index)];
    if (wordOfA !== wordOfB) return wordOfA - wordOfB;
    if (wordOfA === 0) return a - b;
  }
}

/** Names sorted by their words. */
export class NameOrder {
  /** The rank at each position of the order. */
  readonly #ranks: Uint32Array;
  /** By the result of `wordAt`, the first position of names that begin with that word. */
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

  /** Whether a name with the same first word sorts before these words. */
  #isBefore(rank: number, words: readonly number[]): boolean {
    for (let nth = 1; nth < words.length; nth++) {
      const own = this.#nameWords.wordAt(rank, nth);
      const other = (words[nth] ?? 0) + 1;
      if (own !== other) return own < other;
    }
    return false;
  }
}
