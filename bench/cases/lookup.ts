import { type BenchCase, callsFrom } from "./case.ts";

export const lookup: BenchCase = {
  name: "lookup",
  title: "basic lookup, charged",
  operation: "lookup",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  leastRatio: 0.35,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({ method: "GET", path: `/v1/lookup/${kvkNumber}` })),
};
