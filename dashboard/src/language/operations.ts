import { type LedgerOperation, PRICE_LIST, type PricedThing } from "../../../src/contract/prices.ts";
import { bilingual, mapValues, type Pair } from "./bilingual.ts";

/**
 * Each operation: its name, its colour in charts and, if the price list has it, its Dutch name there. The colours are
 * distinct in both colour schemes, with a contrast of 3 : 1 to both backgrounds.
 */
const TABLE = {
  lookup: { name: ["Lookup", "Opzoeken"], color: "sea.5", dutchThing: "Een bedrijf opzoeken op KVK-nummer" },
  "lookup.enriched": {
    name: ["Enriched lookup", "Uitgebreid opzoeken"],
    color: "green.8",
    dutchThing: "Hetzelfde met activiteiten, werkzame personen en btw-nummer",
  },
  branches: {
    name: ["Branches", "Vestigingen"],
    color: "orange.8",
    dutchThing: "De vestigingen van een bedrijf",
  },
  batch: { name: ["Several companies in one call", "Meerdere bedrijven in één aanroep"], color: "blue.6" },
  "batch.enriched": {
    name: ["Several companies in one call, enriched", "Meerdere bedrijven in één aanroep, uitgebreid"],
    color: "cyan.8",
  },
  autocomplete: {
    name: ["Suggestions as you type", "Suggesties tijdens het typen"],
    color: "indigo.5",
    dutchThing: "Een bedrijf vinden tijdens het typen",
  },
  search: {
    name: ["Search", "Zoeken"],
    color: "grape.6",
    dutchThing: "Bedrijven zoeken, per pagina met resultaten",
  },
  match: {
    name: ["Matching, per name", "Koppelen, per naam"],
    color: "blue.8",
    dutchThing: "Een naam of adres aan een bedrijf koppelen",
  },
  reconcile: { name: ["OpenRefine, per query", "OpenRefine, per naam"], color: "indigo.7" },
  "reconcile.suggest": { name: ["OpenRefine, suggestions", "OpenRefine, suggesties"], color: "grape.7" },
  "reconcile.properties": { name: ["OpenRefine, properties", "OpenRefine, eigenschappen"], color: "dark.2" },
  "reconcile.preview": { name: ["OpenRefine, preview", "OpenRefine, voorbeeld"], color: "pink.7" },
  "reconcile.extend": {
    name: ["OpenRefine, data per company", "OpenRefine, gegevens per bedrijf"],
    color: "teal.9",
  },
  "reconcile.extend.enriched": {
    name: ["OpenRefine, enriched data per company", "OpenRefine, uitgebreide gegevens per bedrijf"],
    color: "green.9",
  },
  validate: {
    name: ["VAT check", "Btw-controle"],
    color: "pink.6",
    dutchThing: "Een btw-nummer controleren",
  },
  peppol: {
    name: ["Peppol check", "Peppol-controle"],
    color: "lime.8",
    dutchThing: "Controleren of een bedrijf op Peppol zit",
  },
  usage: { name: ["Usage", "Verbruik"], color: "gray.6" },
  tokens: { name: ["Access tokens", "Toegangstokens"], color: "yellow.9" },
  jobs: { name: ["Managing lists", "Lijsten beheren"], color: "dark.3" },
  "jobs.lookup": { name: ["List, per company", "Lijst, per bedrijf"], color: "teal.7" },
  "jobs.lookup.enriched": {
    name: ["List, enriched, per company", "Lijst, uitgebreid, per bedrijf"],
    color: "lime.9",
  },
  "jobs.vat": { name: ["List, per VAT check", "Lijst, per btw-controle"], color: "red.6" },
  "jobs.insolvency": { name: ["List, per insolvency", "Lijst, per insolventie"], color: "indigo.8" },
  "jobs.peppol": { name: ["List, per Peppol check", "Lijst, per Peppol-controle"], color: "yellow.8" },
  "jobs.match": { name: ["List, per matched row", "Lijst, per gekoppelde rij"], color: "pink.9" },
  monitors: {
    name: ["Managing monitors, reading changes", "Monitoring beheren, wijzigingen lezen"],
    color: "dark.2",
  },
  "monitors.change": {
    name: ["Monitor, per change", "Monitoring, per wijziging"],
    color: "orange.9",
    dutchThing: "Een wijziging bij een bedrijf dat u volgt",
  },
  other: { name: ["Other calls", "Overige aanroepen"], color: "violet.5" },
} as const satisfies Record<LedgerOperation, { name: Pair; color: string }> &
  Record<PricedThing, { dutchThing: string }>;

export const operations = bilingual(mapValues(TABLE, ({ name }): Pair => name));
export const operationColors = mapValues(TABLE, ({ color }) => color);
/** The rows of the price list. */
export const pricedThings = bilingual(
  mapValues(PRICE_LIST, (english, thing): Pair => [english, TABLE[thing].dutchThing]),
);

/** Names of keys that a person did not name. */
export const keyTexts = bilingual({
  thisPage: ["This page", "Deze pagina"],
  deletedKey: ["From an earlier account", "Van een eerder account"],
});
