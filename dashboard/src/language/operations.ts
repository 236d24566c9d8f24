import type { LedgerOperation } from "../../../src/contract/prices.ts";
import { bilingual, type Pair } from "./bilingual.ts";

export const operations = bilingual({
  lookup: ["Lookup", "Opzoeken"],
  "lookup.enriched": ["Enriched lookup", "Uitgebreid opzoeken"],
  branches: ["Branches", "Vestigingen"],
  batch: ["Several companies in one call", "Meerdere bedrijven in één aanroep"],
  "batch.enriched": [
    "Several companies in one call, enriched",
    "Meerdere bedrijven in één aanroep, uitgebreid",
  ],
  autocomplete: ["Suggestions as you type", "Suggesties tijdens het typen"],
  search: ["Search", "Zoeken"],
  match: ["Matching, per name", "Koppelen, per naam"],
  reconcile: ["OpenRefine, per query", "OpenRefine, per naam"],
  "reconcile.suggest": ["OpenRefine, suggestions", "OpenRefine, suggesties"],
  "reconcile.properties": ["OpenRefine, properties", "OpenRefine, eigenschappen"],
  "reconcile.preview": ["OpenRefine, preview", "OpenRefine, voorbeeld"],
  "reconcile.extend": ["OpenRefine, data per company", "OpenRefine, gegevens per bedrijf"],
  "reconcile.extend.enriched": [
    "OpenRefine, enriched data per company",
    "OpenRefine, uitgebreide gegevens per bedrijf",
  ],
  validate: ["VAT check", "Btw-controle"],
  usage: ["Usage", "Verbruik"],
  tokens: ["Access tokens", "Toegangstokens"],
  jobs: ["Managing lists", "Lijsten beheren"],
  "jobs.lookup": ["List, per company", "Lijst, per bedrijf"],
  "jobs.lookup.enriched": ["List, enriched, per company", "Lijst, uitgebreid, per bedrijf"],
  "jobs.vat": ["List, per VAT check", "Lijst, per btw-controle"],
  "jobs.match": ["List, per matched row", "Lijst, per gekoppelde rij"],
  monitors: ["Managing monitors, reading changes", "Monitoring beheren, wijzigingen lezen"],
  "monitors.change": ["Monitor, per change", "Monitoring, per wijziging"],
  other: ["Other calls", "Overige aanroepen"],
} satisfies Record<LedgerOperation, Pair>);

/** Names of keys that a person did not name. */
export const keyTexts = bilingual({
  thisPage: ["This page", "Deze pagina"],
  deletedKey: ["From an earlier account", "Van een eerder account"],
});
