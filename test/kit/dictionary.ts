/** Dictionaries of words, for tests of the index. */
import { Dictionary, dictionarySections, sortedWords } from "../../src/search/index/dictionary.ts";
import { indexInMemory, Sections } from "../../src/search/index/sections.ts";

/** Encodes a dictionary of the given words. */
export function dictionaryOf(words: Iterable<string>): Dictionary {
  return new Dictionary(new Sections(indexInMemory(dictionarySections(sortedWords(new Set(words))))));
}
