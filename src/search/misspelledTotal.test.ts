import { expect, it } from "vitest";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";

const snapshotOfHerons = (count: number) =>
  snapshotOf(
    Array.from({ length: count }, (_, nth) => sourcedFacts(nth, { name: `Zilverreiger x${nth + 1}` })),
  );

it("marks the total of a misspelled search as inexact when not all names were read", async () => {
  const snapshot = await snapshotOfHerons(600);
  const { results, ...total } = inOneGo(snapshot.search({ q: "zilverriegre", page: 1, pageSize: 10 }));
  expect(results).toHaveLength(10);
  expect(results.every(({ isFuzzy }) => isFuzzy === true)).toBe(true);
  expect(total).toEqual({ total: 250, totalIsExact: false });
  // An exact match is counted completely.
  const { total: typed, totalIsExact } = inOneGo(
    snapshot.search({ q: "zilverreiger", page: 1, pageSize: 1 }),
  );
  expect([typed, totalIsExact]).toEqual([600, undefined]);
});

it.each([3, 250])("returns an exact total for a misspelled search that found all %i names", async (count) => {
  const snapshot = await snapshotOfHerons(count);
  const { results, ...total } = inOneGo(snapshot.search({ q: "zilverriegre", page: 1, pageSize: 1 }));
  expect(results).toHaveLength(1);
  expect(total).toEqual({ total: count });
});

const words = "balkon citrus duivel fakkel gondel hamster jasmijn kwartel libel mosterd narcis pelgrim".split(
  " ",
);

it("marks the total as inexact when the work budget ended the search", async () => {
  // Two words of each name are misspelled: 66 pairs, each with fewer names than are read per correction.
  const names = words.flatMap((_, one) =>
    words.slice(one + 1).flatMap((_, nth) => {
      const slips = words
        .map((word, at) => (at === one || at === one + 1 + nth ? `x${word}` : word))
        .join(" ");
      return Array.from({ length: 60 }, (_, number) => `${slips} ${number}`);
    }),
  );
  const snapshot = await snapshotOf(names.map((name, nth) => sourcedFacts(nth, { name })));
  const { total, totalIsExact } = inOneGo(snapshot.search({ q: words.join(" "), page: 1, pageSize: 1 }));
  expect(total).toBeGreaterThan(60);
  expect(total).toBeLessThan(names.length);
  expect(totalIsExact).toBe(false);
});

it.each([
  // No name has two of the words, so the search reads them all in vain.
  [500, { total: 0, totalIsExact: false }],
  [5, { total: 0 }],
])(
  "marks an empty result as inexact only if the budget ended the search: %i names per word, %j",
  async (count, expected) => {
    const names = words.flatMap((word) =>
      Array.from({ length: count }, (_, nth) => [`${word} ${nth}`, `x${word} ${nth}`]).flat(),
    );
    const snapshot = await snapshotOf(names.map((name, nth) => sourcedFacts(nth, { name })));
    const found = inOneGo(snapshot.search({ q: words.join(" "), page: 1, pageSize: 1 }));
    expect(found).toEqual({ results: [], ...expected });
  },
);
