import { Charset, Index } from "flexsearch";
import type { Entry, FilledEngine } from "./engine.ts";
import { foldedText } from "./foldedText.ts";
import { ENTRIES_ASKED, onePerCompany } from "./onePerCompany.ts";

/** FlexSearch as its guide sets it for beginnings and fuzziness: letters that sound alike are one, words may be missing. */
export function openFlexSearch(): FilledEngine {
  const entries: Entry[] = [];
  const index = new Index({ tokenize: "forward", encoder: Charset.LatinBalance });
  return {
    add(more) {
      for (const entry of more) {
        index.add(entries.length, foldedText(entry.name));
        entries.push(entry);
      }
    },
    finish() {},
    find(q) {
      const found = index.search(foldedText(q), { limit: ENTRIES_ASKED, suggest: true });
      return onePerCompany(found.flatMap((id) => entries[Number(id)] ?? []));
    },
    close() {},
  };
}
