import { kvkCompanies } from "../kvk/companies.ts";
import { type BenchCase, callsFrom } from "./case.ts";

/** Long enough for every company to be asked of KVK once, at its rate. */
const ALL_HELD_SECONDS = 8;

export const cached: BenchCase = {
  name: "cached",
  title: "basic lookup of a company that KVK told before, charged",
  operation: "lookup",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  setups: ["live"],
  leastRatio: { live: 0.3 },
  warmUpSeconds: ALL_HELD_SECONDS,
  calls: (_companies, random) =>
    callsFrom(kvkCompanies(), random, ({ kvkNumber }) => ({
      method: "GET",
      path: `/v1/lookup/${kvkNumber}`,
    })),
};
