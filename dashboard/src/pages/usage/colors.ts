import type { LedgerOperation } from "../../../../src/contract/prices.ts";

/** A colour for each operation, apart from each other in light and dark, and 3 : 1 from both grounds. */
export const COLORS = {
  lookup: "sea.6",
  "lookup.enriched": "sea.8",
  autocomplete: "indigo.5",
  search: "grape.6",
  branches: "orange.7",
  batch: "blue.6",
  "batch.enriched": "blue.8",
  validate: "pink.6",
  usage: "gray.6",
  other: "gray.7",
} as const satisfies Record<LedgerOperation, string>;
