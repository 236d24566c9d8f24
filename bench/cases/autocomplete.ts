import { type BenchCase, callsFrom } from "./case.ts";

const SHORTEST = 2;
const LONGEST = 14;

/** What people have typed when the dropdown asks: the first 2 to 14 characters of a name, in lower case. */
export const autocomplete: BenchCase = {
  name: "autocomplete",
  title: "autocomplete of 2 to 14 characters",
  operation: "autocomplete",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  leastRatio: { sqlite: 0.4 },
  calls: (companies, random) =>
    callsFrom(companies, random, ({ name }) => {
      const typed = name
        .slice(0, random.between(SHORTEST, LONGEST))
        .toLowerCase()
        .trim()
        .padEnd(SHORTEST, "a");
      return { method: "GET", path: `/v1/autocomplete?q=${encodeURIComponent(typed)}` };
    }),
};
