import type { LedgerOperation } from "../../../../src/contract/prices.ts";

/** A colour for each operation, apart from each other in light and dark, and 3 : 1 from both grounds. */
export const COLORS = {
  lookup: "sea.5",
  "lookup.enriched": "green.8",
  autocomplete: "indigo.5",
  search: "grape.6",
  branches: "orange.8",
  batch: "blue.6",
  "batch.enriched": "cyan.8",
  validate: "pink.6",
  usage: "gray.6",
  tokens: "yellow.9",
  jobs: "dark.3",
  "jobs.lookup": "teal.7",
  "jobs.lookup.enriched": "lime.9",
  "jobs.vat": "red.6",
  other: "violet.5",
} as const satisfies Record<LedgerOperation, string>;
