import type { LedgerOperation } from "../../../src/contract/prices.ts";
import { bilingual } from "./bilingual.ts";

const en = {
  lookup: "Lookup",
  "lookup.enriched": "Enriched lookup",
  branches: "Branches",
  batch: "List, per company",
  "batch.enriched": "Enriched list, per company",
  autocomplete: "Suggestions as you type",
  search: "Search",
  validate: "VAT check",
  usage: "Usage",
  tokens: "Tokens for web pages",
  jobs: "Calls about large lists",
  "jobs.lookup": "Large list, per company",
  "jobs.lookup.enriched": "Enriched large list, per company",
  "jobs.vat": "Large list, per VAT check",
  other: "Other calls",
} satisfies Record<LedgerOperation, string>;

/** What each operation is called. */
export const operations = bilingual(en, {
  lookup: "Opzoeken",
  "lookup.enriched": "Uitgebreid opzoeken",
  branches: "Vestigingen",
  batch: "Lijst, per bedrijf",
  "batch.enriched": "Uitgebreide lijst, per bedrijf",
  autocomplete: "Suggesties tijdens het typen",
  search: "Zoeken",
  validate: "Btw-controle",
  usage: "Verbruik",
  tokens: "Tokens voor webpagina’s",
  jobs: "Aanroepen over grote lijsten",
  "jobs.lookup": "Grote lijst, per bedrijf",
  "jobs.lookup.enriched": "Uitgebreide grote lijst, per bedrijf",
  "jobs.vat": "Grote lijst, per btw-controle",
  other: "Overige aanroepen",
});
