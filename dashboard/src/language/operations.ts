import type { LedgerOperation } from "../../../src/contract/prices.ts";
import { bilingual } from "./bilingual.ts";

const en = {
  lookup: "Lookup",
  "lookup.enriched": "Lookup, everything",
  branches: "Branches",
  batch: "List, each company",
  "batch.enriched": "List, everything of each",
  autocomplete: "Suggestions while typing",
  search: "Search",
  validate: "VAT check",
  usage: "Usage",
  other: "Other calls",
} satisfies Record<LedgerOperation, string>;

/** What each operation is called. */
export const operations = bilingual(en, {
  lookup: "Opzoeken",
  "lookup.enriched": "Opzoeken, alles",
  branches: "Vestigingen",
  batch: "Lijst, per bedrijf",
  "batch.enriched": "Lijst, alles per bedrijf",
  autocomplete: "Suggesties bij het typen",
  search: "Zoeken",
  validate: "Btw-controle",
  usage: "Verbruik",
  other: "Andere aanroepen",
});
