/**
 * Postings: for each word of the index, the ranks of the names that have it. A rank is a name's position in display
 * order.
 */
import { U32Builder } from "./builders.ts";
import { addUp, CHUNK, lowerBound, RankSets, RankSetsBuilder, sortedUnique } from "./rankSets.ts";
import type { SectionList, Sections } from "./sections.ts";
import type { Trie, WordRange } from "./trie.ts";

/** Words with more names are stored as sets, which can be intersected chunk by chunk; others as plain lists. */
export const MAX_IN_LIST = 1024;
/** Prefixes with more words have a stored set; others are merged on demand. */
const MAX_MERGED_WORDS = 16;

/** The words of each name: those of name `n` are at [`starts[n]`, `starts[n + 1]`). */
export interface WordLists {
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
}

/** Masks the word number in a word list; see `EXTRA_WORD` in nameWords.ts. */
export const WORD_MASK = 0x3fffffff;

interface Inverted {
  /** The offset of the ranks of each word, then the total. */
  readonly starts: Uint32Array;
  readonly ranks: Uint32Array;
}

/**
 * Builds the inverted index: for each word, and for each prefix of many words, the ascending ranks of its names.
 * @param needsPrefixes whether words with this first byte are queried by prefix
 */
export function postingsSections(
  lists: readonly WordLists[],
  trie: Trie,
  needsPrefixes: (firstByte: number) => boolean,
): SectionList {
  const names = (lists[0]?.starts.length ?? 1) - 1;
  const inverted = invert(lists, names, trie.dictionary.count);
  const plain = new U32Builder();
  const plainStarts = new Uint32Array(trie.dictionary.count + 1);
  const ranges = commonPrefixes(trie, inverted.starts, needsPrefixes);
  for (let word = 0; word < trie.dictionary.count; word++) {
    plainStarts[word] = plain.length;
    const [from, to] = [inverted.starts[word] ?? 0, inverted.starts[word + 1] ?? 0];
    if (to - from > MAX_IN_LIST) ranges.push({ from: word, to: word + 1 });
    else for (let at = from; at < to; at++) plain.push(inverted.ranks[at] ?? 0);
  }
  plainStarts[trie.dictionary.count] = plain.length;
  ranges.sort((a, b) => a.from - b.from || a.to - b.to);
  const sets = new RankSetsBuilder();
  for (const { from, to } of ranges) {
    const ranks = inverted.ranks.subarray(inverted.starts[from], inverted.starts[to]);
    sets.add(to - from === 1 ? ranks : sortedUnique(ranks));
  }
  return [
    ["postings.totals", inverted.starts],
    ["postings.starts", plainStarts],
    ["postings.ranks", plain.view()],
    ["sets.from", Uint32Array.from(ranges, ({ from }) => from)],
    ["sets.to", Uint32Array.from(ranges, ({ to }) => to)],
    ...sets.sections(),
  ];
}

const NO_RANK = 0xffffffff;

/** A counting sort of (word, rank) pairs by word, without duplicates. */
function invert(lists: readonly WordLists[], names: number, words: number): Inverted {
  const starts = new Uint32Array(words + 1);
  const lastRanks = new Uint32Array(words);
  const visitAll = (visit: (word: number, rank: number) => void) => {
    lastRanks.fill(NO_RANK);
    for (let rank = 0; rank < names; rank++) {
      for (const list of lists) {
        const to = list.starts[rank + 1] ?? 0;
        for (let at = list.starts[rank] ?? 0; at < to; at++) {
          const word = (list.words[at] ?? 0) & WORD_MASK;
          if (lastRanks[word] === rank) continue;
          lastRanks[word] = rank;
          visit(word, rank);
        }
      }
    }
  };
  visitAll((word) => {
    starts[word + 1] = (starts[word + 1] ?? 0) + 1;
  });
  addUp(starts);
  const ranks = new Uint32Array(starts[words] ?? 0);
  const next = starts.slice();
  visitAll((word, rank) => {
    const at = next[word] ?? 0;
    ranks[at] = rank;
    next[word] = at + 1;
  });
  return { starts, ranks };
}

/** Returns the prefixes shared by many words and many names, each range of words once. */
function commonPrefixes(
  trie: Trie,
  starts: Uint32Array,
  needsPrefixes: (firstByte: number) => boolean,
): WordRange[] {
  const { labels, firstChild, firstWord, dictionary } = trie;
  const end = new Uint32Array(labels.length);
  const isNeeded = new Uint8Array(labels.length);
  end[0] = dictionary.count;
  const found: WordRange[] = [];
  for (let node = 0; node < labels.length; node++) {
    const last = firstChild[node + 1] ?? 0;
    for (let child = firstChild[node] ?? 0; child < last; child++) {
      const from = firstWord[child] ?? 0;
      const to = child + 1 < last ? (firstWord[child + 1] ?? 0) : (end[node] ?? 0);
      end[child] = to;
      isNeeded[child] = node === 0 ? Number(needsPrefixes(labels[child] ?? 0)) : (isNeeded[node] ?? 0);
      if (isNeeded[child] === 0 || to - from <= MAX_MERGED_WORDS) continue;
      const isSameAsAbove = node !== 0 && from === firstWord[node] && to === end[node];
      if (!isSameAsAbove && (starts[to] ?? 0) - (starts[from] ?? 0) > MAX_IN_LIST) {
        found.push({ from, to });
      }
    }
  }
  return found;
}

/**
 * The stored sets and plain lists that together have the names of some words. A list is at [`from`, `to`) of
 * `Postings.ranks`.
 */
export interface Parts {
  readonly sets: number[];
  readonly lists: { readonly from: number; readonly to: number }[];
}

/** The names that have a word or a prefix. */
export class Postings {
  readonly sets: RankSets;
  /** The offset of each word's plain list in `ranks`, then the end of the last one. */
  readonly starts: Uint32Array;
  /** The plain lists. */
  readonly ranks: Uint32Array;
  readonly chunks: number;
  readonly #totals: Uint32Array;
  /** The range of words of each set, sorted by first, then by last word. */
  readonly setFrom: Uint32Array;
  readonly setTo: Uint32Array;

  constructor(sections: Sections, names: number) {
    this.sets = new RankSets(sections);
    this.#totals = sections.u32("postings.totals");
    this.starts = sections.u32("postings.starts");
    this.ranks = sections.u32("postings.ranks");
    this.setFrom = sections.u32("sets.from");
    this.setTo = sections.u32("sets.to");
    this.chunks = Math.ceil(names / CHUNK);
  }

  /** The sum of the names of each word in a range. A name with two of them counts twice. */
  total({ from, to }: WordRange): number {
    return (this.#totals[to] ?? 0) - (this.#totals[from] ?? 0);
  }

  /** Returns the parts of some ranges of words. */
  partsOf(ranges: readonly WordRange[]): Parts {
    const { starts, setFrom, setTo } = this;
    const parts: Parts = { sets: [], lists: [] };
    for (const range of ranges) {
      let position = lowerBound(setFrom, 0, setFrom.length, range.from);
      for (let word = range.from; word < range.to; ) {
        while (position < setFrom.length && (setFrom[position] ?? 0) < word) position++;
        let set = -1;
        // The largest set that begins here and lies within the range.
        for (; setFrom[position] === word && (setTo[position] ?? 0) <= range.to; position++) set = position;
        if (set !== -1) {
          parts.sets.push(set);
          word = setTo[set] ?? 0;
          continue;
        }
        const [from, to] = [starts[word] ?? 0, starts[word + 1] ?? 0];
        if (from < to) parts.lists.push({ from, to });
        word++;
      }
    }
    return parts;
  }

  /** Whether a name is in one of the parts. */
  has({ sets, lists }: Parts, rank: number): boolean {
    for (const set of sets) if (this.sets.has(set, rank)) return true;
    for (const { from, to } of lists) {
      const at = lowerBound(this.ranks, from, to, rank);
      if (at < to && this.ranks[at] === rank) return true;
    }
    return false;
  }
}
