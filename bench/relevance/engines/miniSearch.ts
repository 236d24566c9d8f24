import MiniSearch from "minisearch";
import type { Entry, FilledEngine } from "./engine.ts";
import { foldedText } from "./foldedText.ts";
import { ENTRIES_ASKED, onePerCompany } from "./onePerCompany.ts";

interface Document {
  readonly id: number;
  readonly name: string;
}

/** Misspellings of shorter words are other words. */
const SHORTEST_FUZZY = 4;

/**
 * MiniSearch as its guide sets it for what is being typed: the last word may go on, longer words may have one edit for every
 * five letters. Not every word need be there, or no lost space would ever be forgiven.
 */
export function openMiniSearch(): FilledEngine {
  const entries: Entry[] = [];
  const index = new MiniSearch<Document>({
    fields: ["name"],
    tokenize: (text) => foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [],
    processTerm: (term) => term,
    searchOptions: {
      prefix: (_, place, terms) => place === terms.length - 1,
      fuzzy: (term) => (term.length >= SHORTEST_FUZZY ? 0.2 : false),
    },
  });
  return {
    add(more) {
      for (const entry of more) {
        index.add({ id: entries.length, name: entry.name });
        entries.push(entry);
      }
    },
    finish() {},
    find(q) {
      const found = index.search(q).slice(0, ENTRIES_ASKED);
      return onePerCompany(found.flatMap(({ id }) => entries[id] ?? []));
    },
    close() {},
  };
}
