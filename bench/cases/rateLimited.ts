import { type BenchCase, callsFrom } from "./case.ts";

export const rateLimited: BenchCase = {
  name: "rate-limited",
  title: "refusal of a key over its rate",
  operation: "lookup",
  expected: 429,
  tolerated: 200,
  tier: "one-a-minute",
  itemsPerAnswer: 1,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ kvkNumber }) => ({ method: "GET", path: `/v1/lookup/${kvkNumber}` })),
};
