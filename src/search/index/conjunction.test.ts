import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { dictionaryOf } from "../../../test/kit/dictionary.ts";
import { amount } from "../../../test/kit/thorough.ts";
import { conjunction, type Term } from "./conjunction.ts";
import { NameWords, nameWordsSections } from "./nameWords.ts";
import { Postings, postingsSections, type WordLists } from "./postings.ts";
import { indexInMemory, type SectionList, Sections } from "./sections.ts";
import { Trie, trieSections, type WordRange } from "./trie.ts";

/** More than two chunks of ranks, and words of every frequency from 1/2 to 1/20,000, so that all representations are used. */
const NAMES = 150_000;
const WORDS = 600;

const sectionsOf = (list: SectionList) => new Sections(indexInMemory(list));

let postings: Postings;
let lists: WordLists;
let trie: Trie;
let nameWords: NameWords;
/** Alternate terms are words of the name, the others facets. */
let nth = 0;

/** Reproducible random numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

beforeAll(() => {
  const random = randomNumbers(5);
  const words = Array.from({ length: WORDS }, (_, number) => number.toString(36).padStart(2, "0"));
  const dictionary = dictionaryOf(words);
  trie = new Trie(sectionsOf(trieSections(dictionary)), dictionary);
  const starts = new Uint32Array(NAMES + 1);
  const numbers: number[] = [];
  for (let rank = 0; rank < NAMES; rank++) {
    // Low numbers are common, but rare in the second chunk.
    const isSparse = rank >>> 16 === 1;
    for (let nth = 0; nth < 4; nth++) {
      const exponent = isSparse ? 1 : 5;
      numbers.push(Math.floor(WORDS * random() ** exponent));
    }
    starts[rank + 1] = numbers.length;
  }
  lists = { starts, words: Uint32Array.from(numbers) };
  nameWords = new NameWords(sectionsOf(nameWordsSections(lists)), dictionary);
  postings = new Postings(sectionsOf(postingsSections([lists], trie, () => true)), NAMES);
});

const isOf = (ranges: readonly WordRange[]) => (rank: number) =>
  lists.words
    .subarray(lists.starts[rank], lists.starts[rank + 1])
    .some((word) => ranges.some(({ from, to }) => word >= from && word < to));

function termOf(ranges: readonly WordRange[]): Term {
  return {
    ranges,
    maxNames: ranges.reduce((sum, range) => sum + postings.total(range), 0),
    isWord: nth++ % 2 === 0,
    matches: isOf(ranges),
  };
}

/** One word, a prefix, or several ranges as in a correction. */
const ranges = fc.oneof(
  fc.nat(WORDS - 1).map((from) => [{ from, to: from + 1 }]),
  fc.nat(30).map((from) => [{ from, to: from + 1 }]),
  fc
    .constantFrom(..."0123456789ab")
    .map((beginning) => [trie.rangeWithPrefix(beginning) ?? { from: 0, to: 0 }]),
  fc
    .uniqueArray(fc.nat(WORDS - 1), { minLength: 2, maxLength: 60 })
    .map((words) => words.sort((a, b) => a - b).map((from) => ({ from, to: from + 1 }))),
);

describe("a conjunction", () => {
  it("returns the same names as a linear search, sorted by rank, in any range", () => {
    fc.assert(
      fc.property(
        fc.array(ranges, { minLength: 1, maxLength: 4 }),
        fc.nat(NAMES),
        fc.nat(NAMES),
        (all, one, other) => {
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          const terms = all.map(termOf);
          const expected: number[] = [];
          for (let rank = from; rank < to; rank++)
            if (terms.every((term) => term.matches(rank))) expected.push(rank);
          const found: number[] = [];
          const ranks = conjunction(postings, nameWords, terms, from, to);
          for (let rank = ranks.next(); rank !== -1; rank = ranks.next()) found.push(rank);
          expect(found).toEqual(expected);
          expect(ranks.next()).toBe(-1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is empty without terms and with an unknown term", () => {
    expect(conjunction(postings, nameWords, [], 0, NAMES).next()).toBe(-1);
    expect(
      conjunction(postings, nameWords, [termOf([]), termOf([{ from: 0, to: 1 }])], 0, NAMES).next(),
    ).toBe(-1);
  });
});

describe("postings", () => {
  it("know whether a name has one of some words", () => {
    fc.assert(
      fc.property(ranges, fc.nat(NAMES - 1), (some, rank) => {
        expect(postings.has(some, rank)).toBe(isOf(some)(rank));
      }),
      { numRuns: amount({ ordinary: 700, thorough: 2_000 }) },
    );
  });
});
