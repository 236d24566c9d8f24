import { expect, it, vi } from "vitest";
import { type OpenSnapshot, snapshotForAll, snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";
import { Finder } from "./finder.ts";
import { IndexBuilder } from "./index/builder.ts";
import { NameIndex } from "./index/nameIndex.ts";
import { indexInMemory } from "./index/sections.ts";

let snapshot: OpenSnapshot;
/** 300 companies with one name, and two with another legal form. */
snapshotForAll(
  () => [
    ...Array.from({ length: 300 }, (_, nth) => sourcedFacts(nth, { name: "Jansen B.V.", legalForm: "BV" })),
    sourcedFacts(900, { name: "Stichting Jansen", legalForm: "STI" }),
    sourcedFacts(901, { name: "Jansen Eenmanszaak", isActive: false }),
  ],
  (opened) => {
    snapshot = opened;
  },
);

const search = (criteria: Partial<Parameters<OpenSnapshot["search"]>[0]>) =>
  inOneGo(snapshot.search({ page: 1, pageSize: 10, ...criteria }));

it("ranks a literal match first among many names that differ only by legal form", () => {
  const q = "Stichting Jansen";
  expect(snapshot.autocomplete(q, 8)[0]?.name).toBe(q);
  const { results, ...total } = search({ q });
  expect(results[0]?.name).toBe(q);
  // Without matching all words, at most 256 other names are found.
  expect(total).toEqual({ total: 257, totalIsExact: false });
  expect(search({ q, page: 2, pageSize: 250 })).toMatchObject({ total: 257, totalIsExact: false });
});

it("counts only companies that match the filters", () => {
  const q = "Coöperatie Jansen";
  expect(search({ q, legalForm: "STI" })).toMatchObject({
    results: [{ name: "Stichting Jansen" }],
    total: 1,
  });
  expect(search({ q, isActive: false })).toMatchObject({
    results: [{ name: "Jansen Eenmanszaak" }],
    total: 1,
  });
});

it("returns an exact total when a word search finds all names", () => {
  expect(search({ q: "jansen" })).toMatchObject({ total: 302 });
  expect(search({ q: "jansen" })).not.toHaveProperty("totalIsExact");
});

it("finds a literal match among thousands of names", async () => {
  const many = await snapshotOf([
    ...Array.from({ length: 4_900 }, (_, nth) => sourcedFacts(nth, { name: "Jansen B.V." })),
    sourcedFacts(9_000, { name: "Stichting Jansen" }),
  ]);
  const search = many.search({ q: "stichting jansen", page: 1, pageSize: 1 });
  expect(inOneGo(search)).toMatchObject({ results: [{ name: "Stichting Jansen" }], totalIsExact: false });
});

it("reads the names of a key once for the page and the total", () => {
  const builder = new IndexBuilder();
  for (const nth of Array.from({ length: 300 }, (_, nth) => nth)) {
    const { facts } = sourcedFacts(nth, { name: "Jansen B.V." });
    builder.add({ ...facts, ...facts.address });
  }
  const index = new NameIndex(indexInMemory(builder.sections()));
  const reads = vi.spyOn(index.exactKeys, "withHash");
  const search = new Finder([index]).search({ q: "Stichting Jansen", page: 1, pageSize: 10 });
  expect(inOneGo(search)).toMatchObject({ total: 256, totalIsExact: false });
  expect(reads).toHaveBeenCalledTimes(1);
});
