import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dictionaryOf } from "../../../test/kit/dictionary.ts";
import { distances } from "../../../test/kit/distances.ts";
import { amount } from "../../../test/kit/thorough.ts";
import { isFacetMarker } from "../facets.ts";
import { mergeRanges, wordsWithin } from "./editDistance.ts";
import { indexInMemory, type SectionList, Sections } from "./sections.ts";
import { Trie, trieSections } from "./trie.ts";

const sectionsOf = (list: SectionList) => new Sections(indexInMemory(list));

function trieOf(words: Iterable<string>): Trie {
  const dictionary = dictionaryOf(words);
  return new Trie(sectionsOf(trieSections(dictionary)), dictionary);
}

const letters = fc.constantFrom(..."abckij");
const word = fc.string({ unit: letters, minLength: 1, maxLength: 9 });

describe("wordsWithin", () => {
  it("finds exactly the words and prefixes within the given edits", () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 60 }),
        word,
        fc.constantFrom(1, 2),
        (words, typed, edits) => {
          const trie = trieOf(words);
          const found = wordsWithin(trie, typed, edits, { left: 1e9 }, isFacetMarker);
          const all = Array.from({ length: trie.dictionary.count }, (_, number) =>
            trie.dictionary.word(number),
          );
          for (let least = 0; least <= edits; least++) {
            const expected = all.filter((one) => distances(typed, one).at(-1) === least);
            expect((found.exact[least] ?? []).map((number) => trie.dictionary.word(number)).sort()).toEqual(
              expected.sort(),
            );
          }
          const begun = all.filter((one) => Math.min(...distances(typed, one).slice(1)) <= edits);
          const ranges = mergeRanges(found.prefixes.flat());
          expect(
            all.filter((_, number) => ranges.some(({ from, to }) => number >= from && number < to)),
          ).toEqual(begun);
        },
      ),
      { numRuns: amount({ ordinary: 166, thorough: 500 }) },
    );
  });

  it("skips facets and stays within its work budget", () => {
    const trie = trieOf(["@bakker", "#bakker", "$bakker", "%bakker", "bakker", "bakkers"]);
    const found = wordsWithin(trie, "bakkar", 1, { left: 1_000 }, isFacetMarker);
    expect(found.exact.flat().map((number) => trie.dictionary.word(number))).toEqual(["bakker"]);
    const work = { left: 3 };
    expect(wordsWithin(trie, "bakkar", 1, work, isFacetMarker).exact.flat()).toEqual([]);
    expect(work.left).toBe(0);
  });

  it("finds nothing for a word that is too long for the automaton", () => {
    const long = "a".repeat(31);
    expect(wordsWithin(trieOf([long]), long, 1, { left: 1_000 }, isFacetMarker).exact.flat()).toEqual([]);
  });
});

describe("a trie", () => {
  it("returns the range of words for every prefix, and every word", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(word, fc.string({ unit: "binary", minLength: 1 }))),
        fc.nat(9),
        (words, length) => {
          const trie = trieOf(words);
          const sorted = Array.from({ length: trie.dictionary.count }, (_, number) =>
            trie.dictionary.word(number),
          );
          for (const one of words) {
            const beginning = Buffer.from(one).subarray(0, length);
            const isBegun = (other: string) =>
              Buffer.from(other).subarray(0, beginning.length).equals(beginning);
            if (!beginning.equals(Buffer.from(beginning.toString()))) continue;
            const range = trie.rangeWithPrefix(beginning.toString());
            expect(sorted.slice(range?.from, range?.to)).toEqual(sorted.filter(isBegun));
          }
          for (const one of sorted) expect(sorted[trie.find(one) ?? -1]).toBe(one);
          expect(trie.find("zz")).toBe(sorted.includes("zz") ? sorted.indexOf("zz") : undefined);
        },
      ),
      { numRuns: amount({ ordinary: 66, thorough: 200 }) },
    );
  });

  it("treats a final i also as the start of ij", () => {
    const trie = trieOf(["mey", "meyer", "mei", "mes"]);
    const words = (coded: string) =>
      trie
        .rangesWhileTyping(coded)
        .flatMap(({ from, to }) =>
          Array.from({ length: to - from }, (_, nth) => trie.dictionary.word(from + nth)),
        );
    expect(words("mei").sort()).toEqual(["mei", "mey", "meyer"]);
    expect(words("mey")).toEqual(["mey", "meyer"]);
  });
});
