import type { LedgerOperation } from "../../../src/contract/prices.ts";
import { bilingual } from "./bilingual.ts";

const en = {
  lookup: "Lookup",
  "lookup.enriched": "Enriched lookup",
  branches: "Branches",
  batch: "Several companies in one call",
  "batch.enriched": "Several companies in one call, enriched",
  autocomplete: "Suggestions as you type",
  search: "Search",
  match: "Matching, per name",
  reconcile: "OpenRefine, per query",
  "reconcile.suggest": "OpenRefine, suggestions",
  "reconcile.properties": "OpenRefine, properties",
  "reconcile.preview": "OpenRefine, preview",
  "reconcile.extend": "OpenRefine, data per company",
  "reconcile.extend.enriched": "OpenRefine, enriched data per company",
  validate: "VAT check",
  usage: "Usage",
  tokens: "Access tokens",
  jobs: "Managing lists",
  "jobs.lookup": "List, per company",
  "jobs.lookup.enriched": "List, enriched, per company",
  "jobs.vat": "List, per VAT check",
  "jobs.match": "List, per matched row",
  monitors: "Managing monitors, reading changes",
  "monitors.change": "Monitor, per change",
  other: "Other calls",
} satisfies Record<LedgerOperation, string>;

export const operations = bilingual(en, {
  lookup: "Opzoeken",
  "lookup.enriched": "Uitgebreid opzoeken",
  branches: "Vestigingen",
  batch: "Meerdere bedrijven in één aanroep",
  "batch.enriched": "Meerdere bedrijven in één aanroep, uitgebreid",
  autocomplete: "Suggesties tijdens het typen",
  search: "Zoeken",
  match: "Koppelen, per naam",
  reconcile: "OpenRefine, per naam",
  "reconcile.suggest": "OpenRefine, suggesties",
  "reconcile.properties": "OpenRefine, eigenschappen",
  "reconcile.preview": "OpenRefine, voorbeeld",
  "reconcile.extend": "OpenRefine, gegevens per bedrijf",
  "reconcile.extend.enriched": "OpenRefine, uitgebreide gegevens per bedrijf",
  validate: "Btw-controle",
  usage: "Verbruik",
  tokens: "Toegangstokens",
  jobs: "Lijsten beheren",
  "jobs.lookup": "Lijst, per bedrijf",
  "jobs.lookup.enriched": "Lijst, uitgebreid, per bedrijf",
  "jobs.vat": "Lijst, per btw-controle",
  "jobs.match": "Lijst, per gekoppelde rij",
  monitors: "Monitoring beheren, wijzigingen lezen",
  "monitors.change": "Monitoring, per wijziging",
  other: "Overige aanroepen",
});

/** Names of keys that a person did not name. */
export const keyTexts = bilingual(
  { thisPage: "This page", deletedKey: "From an earlier account" },
  { thisPage: "Deze pagina", deletedKey: "Van een eerder account" },
);
