import { type BenchCase, callsFrom } from "./case.ts";

export const enriched: BenchCase = {
  name: "enriched",
  title: "enriched lookup with a fresh verdict held, charged",
  operation: "lookup.enriched",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  // Every company's number is asked of VIES once.
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({
      method: "GET",
      path: `/v1/lookup/${kvkNumber}?enrich=true`,
    })),
};
