import { expect, it } from "vitest";
import { snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";

const ofHerons = (count: number) =>
  snapshotOf(
    Array.from({ length: count }, (_, nth) => sourcedFacts(nth, { name: `Zilverreiger x${nth + 1}` })),
  );

it("tells the total of a misspelled search as one that is not exact where not all names were read", async () => {
  const snapshot = await ofHerons(600);
  const { results, ...total } = inOneGo(snapshot.search({ q: "zilverriegre", page: 1, pageSize: 10 }));
  expect(results).toHaveLength(10);
  expect(results.every(({ isFuzzy }) => isFuzzy === true)).toBe(true);
  expect(total).toEqual({ total: 250, totalIsExact: false });
  // The very word is counted to its end.
  const { total: typed, totalIsExact } = inOneGo(
    snapshot.search({ q: "zilverreiger", page: 1, pageSize: 1 }),
  );
  expect([typed, totalIsExact]).toEqual([600, undefined]);
});

it.each([3, 250])(
  "tells the total of a misspelled search that found all %i names as exact",
  async (count) => {
    const snapshot = await ofHerons(count);
    const { results, ...total } = inOneGo(snapshot.search({ q: "zilverriegre", page: 1, pageSize: 1 }));
    expect(results).toHaveLength(1);
    expect(total).toEqual({ total: count });
  },
);

const words = "balkon citrus duivel fakkel gondel hamster jasmijn kwartel libel mosterd narcis pelgrim".split(
  " ",
);

it("tells it as not exact where the budget of work ended it", async () => {
  // Two words of each name are not those of the query: 66 pairs, of each fewer names than are read.
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
  // Of each word so many names, and none has two of them: all are gone through for nothing.
  [500, { total: 0, totalIsExact: false }],
  [5, { total: 0 }],
])("tells it so also where nothing was found: of %i names for each word %j", async (count, told) => {
  const names = words.flatMap((word) =>
    Array.from({ length: count }, (_, nth) => [`${word} ${nth}`, `x${word} ${nth}`]).flat(),
  );
  const snapshot = await snapshotOf(names.map((name, nth) => sourcedFacts(nth, { name })));
  const found = inOneGo(snapshot.search({ q: words.join(" "), page: 1, pageSize: 1 }));
  expect(found).toEqual({ results: [], ...told });
});
