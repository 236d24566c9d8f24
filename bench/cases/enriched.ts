import { type BenchCase, callsFrom } from "./case.ts";

export const enriched: BenchCase = {
  name: "enriched",
  title: "enriched lookup, charged",
  operation: "lookup.enriched",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({
      method: "GET",
      path: `/v1/lookup/${kvkNumber}?enrich=true`,
    })),
};
