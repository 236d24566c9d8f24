import { expect, it, vi } from "vitest";
import { type OpenSnapshot, snapshotForAll, snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";
import { Finder } from "./finder.ts";
import { IndexBuilder } from "./index/builder.ts";
import { NameIndex } from "./index/nameIndex.ts";
import { concatPieces, serialiseSections } from "./index/sections.ts";

let snapshot: OpenSnapshot;
/** 300 companies of one name, and behind them one that has it with another legal form. */
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

it("puts a name that was typed word for word first, however many are the same but for the legal form", () => {
  const q = "Stichting Jansen";
  expect(snapshot.autocomplete(q, 8)[0]?.name).toBe(q);
  const { results, ...total } = search({ q });
  expect(results[0]?.name).toBe(q);
  // Of the others no more than 256 are found by a name that has not all of the words.
  expect(total).toEqual({ total: 257, totalIsExact: false });
  expect(search({ q, page: 2, pageSize: 250 })).toMatchObject({ total: 257, totalIsExact: false });
});

it("counts only those that satisfy what is asked beside the name", () => {
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

it("tells the total as exact where the words of the query find all names", () => {
  expect(search({ q: "jansen" })).toMatchObject({ total: 302 });
  expect(search({ q: "jansen" })).not.toHaveProperty("totalIsExact");
});

it("finds it among some thousands", async () => {
  const many = await snapshotOf([
    ...Array.from({ length: 4_900 }, (_, nth) => sourcedFacts(nth, { name: "Jansen B.V." })),
    sourcedFacts(9_000, { name: "Stichting Jansen" }),
  ]);
  const search = many.search({ q: "stichting jansen", page: 1, pageSize: 1 });
  expect(inOneGo(search)).toMatchObject({ results: [{ name: "Stichting Jansen" }], totalIsExact: false });
});

it("reads the names of one key once for the page and its total", () => {
  const builder = new IndexBuilder();
  for (const nth of Array.from({ length: 300 }, (_, nth) => nth)) {
    const { facts } = sourcedFacts(nth, { name: "Jansen B.V." });
    builder.add({ ...facts, ...facts.address });
  }
  const index = new NameIndex(concatPieces(serialiseSections(builder.sections())));
  const reads = vi.spyOn(index.exactKeys, "withHash");
  const search = new Finder([index]).search({ q: "Stichting Jansen", page: 1, pageSize: 10 });
  expect(inOneGo(search)).toMatchObject({ total: 256, totalIsExact: false });
  expect(reads).toHaveBeenCalledTimes(1);
});
