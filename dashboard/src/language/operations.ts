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
  match: "Matching, per name",
  validate: "VAT check",
  usage: "Usage",
  tokens: "Access tokens",
  jobs: "Managing bulk lists",
  "jobs.lookup": "Bulk list, per company",
  "jobs.lookup.enriched": "Enriched bulk list, per company",
  "jobs.vat": "Bulk list, per VAT check",
  "jobs.match": "Bulk list, per matched row",
  other: "Other calls",
} satisfies Record<LedgerOperation, string>;

export const operations = bilingual(en, {
  lookup: "Opzoeken",
  "lookup.enriched": "Uitgebreid opzoeken",
  branches: "Vestigingen",
  batch: "Lijst, per bedrijf",
  "batch.enriched": "Uitgebreide lijst, per bedrijf",
  autocomplete: "Suggesties tijdens het typen",
  search: "Zoeken",
  match: "Koppelen, per naam",
  validate: "Btw-controle",
  usage: "Verbruik",
  tokens: "Toegangstokens",
  jobs: "API-lijsten beheren",
  "jobs.lookup": "Lijst via API, per bedrijf",
  "jobs.lookup.enriched": "Uitgebreide lijst via API, per bedrijf",
  "jobs.vat": "Lijst via API, per btw-controle",
  "jobs.match": "Lijst via API, per gematchte rij",
  other: "Overige aanroepen",
});
