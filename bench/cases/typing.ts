import { queryClasses } from "../find/queries.ts";
import type { BenchCase } from "./case.ts";

/** So many of each class: more different queries than a process keeps answers, so that none is told from memory. */
const EACH = 10_000;

/** What is typed in all the ways that finding is measured with, each class as often as the others, no answer kept. */
export const typing: BenchCase = {
  name: "typing",
  title: "autocomplete, all classes of queries, no answer kept",
  operation: "autocomplete",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  leastRatio: { sqlite: 0.35 },
  calls: (companies, random) => {
    const names = companies.map(({ name }) => name);
    return (
      queryClasses(names, [], { each: EACH, seed: random.between(1, 1_000) })
        .flatMap(({ queries }) => queries)
        // The finder takes one character, the endpoint two.
        .filter(({ q }) => q.length >= 2)
        .map(({ q }) => ({ q, place: random.bits() }))
        .sort((one, other) => one.place - other.place)
        .map(({ q }) => ({ method: "GET", path: `/v1/autocomplete?q=${encodeURIComponent(q)}` }))
    );
  },
};
