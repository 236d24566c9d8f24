import { at } from "../../src/demo/random.ts";
import { type BenchCase, callsFrom } from "./case.ts";

/** A word of a name, half the time with the place as well: ten results and how many there are. */
export const search: BenchCase = {
  name: "search",
  title: "search for a word, half of them in a city",
  operation: "search",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
  calls: (companies, random) =>
    callsFrom(companies, random, ({ name, address }) => {
      const words = name.split(" ").filter((word) => /^[A-Za-z]{3,}$/.test(word));
      const query = new URLSearchParams({
        q: words.length > 0 ? at(words, random.below(words.length)) : name,
      });
      if (address?.city !== undefined && random.chance(0.5)) query.set("city", address.city);
      return { method: "GET", path: `/v1/search?${query}` };
    }),
};
