import { kvkCompanies } from "../kvk/companies.ts";
import { type BenchCase, callsFrom } from "./case.ts";

export const cached: BenchCase = {
  name: "cached",
  title: "basic lookup of a company that KVK told before, charged",
  operation: "lookup",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  setups: ["live"],
  leastRatio: { live: 0.3 },
  calls: (_companies, random) =>
    callsFrom(kvkCompanies(), random, ({ kvkNumber }) => ({
      method: "GET",
      path: `/v1/lookup/${kvkNumber}`,
    })),
};
