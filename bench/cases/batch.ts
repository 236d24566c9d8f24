import { type BenchCase, callsFrom } from "./case.ts";

const NUMBERS = 100;

export const batch: BenchCase = {
  name: "batch",
  title: "batch of 100, basic, charged",
  operation: "batch",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: NUMBERS,
  calls: (companies, random) => {
    // Distinct numbers, when the registry has that many: a number that is sent twice is answered once.
    const start = random.below(companies.length);
    let next = start;
    const take = () => companies[next++ % companies.length]?.kvkNumber;
    return callsFrom(companies, random, () => ({
      method: "POST",
      path: "/v1/lookup/batch",
      body: { kvkNumbers: Array.from({ length: NUMBERS }, take) },
    })).slice(0, 500);
  },
};
