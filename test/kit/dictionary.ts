/** Tables of words, for tests of what is found by them. */
import { ByteTable } from "../../src/search/index/byteTable.ts";
import { Dictionary, dictionarySections } from "../../src/search/index/dictionary.ts";
import { joinPieces, layOut, Sections } from "../../src/search/index/sections.ts";
import { sortedTexts } from "../../src/search/index/sortedTexts.ts";

export function tableOf(texts: Iterable<string>): ByteTable {
  const table = new ByteTable();
  for (const text of texts) {
    const bytes = Buffer.from(text);
    table.numberOf(bytes, 0, bytes.length);
  }
  return table;
}

/** The dictionary of some words, coded. */
export function dictionaryOf(words: Iterable<string>): Dictionary {
  const table = tableOf(words);
  return new Dictionary(new Sections(joinPieces(layOut(dictionarySections(table, sortedTexts(table))))));
}
