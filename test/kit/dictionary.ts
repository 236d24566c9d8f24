/** Dictionaries of words, for tests of the index. */
import { Dictionary, dictionarySections, sortedWords } from "../../src/search/index/dictionary.ts";
import { joinPieces, layOut, Sections } from "../../src/search/index/sections.ts";

/** The dictionary of some words, coded. */
export function dictionaryOf(words: Iterable<string>): Dictionary {
  return new Dictionary(new Sections(joinPieces(layOut(dictionarySections(sortedWords(new Set(words)))))));
}
