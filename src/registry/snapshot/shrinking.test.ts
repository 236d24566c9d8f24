import { expect, it } from "vitest";
import { add, sourcedFacts, temporaryFolder } from "../testRegistry.ts";
import { importFacts } from "./importFacts.ts";
import { lossesOf, WouldShrink } from "./shrinking.ts";

const held = (origin: string, companies: number) => ({ origin, companies });

it("a tenth may go, one company more may not", () => {
  expect(lossesOf([held("gleif", 30)], [held("gleif", 27)])).toEqual([]);
  expect(lossesOf([held("gleif", 30)], [held("gleif", 26)])).toEqual([
    { origin: "gleif", before: 30, after: 26 },
  ]);
  expect(lossesOf([], [held("gleif", 1)])).toEqual([]);
});

it("an origin that is gone counts only where that is asked", () => {
  expect(lossesOf([held("gleif", 30)], [held("demo", 1)])).toEqual([]);
  expect(lossesOf([held("gleif", 30)], [held("demo", 1)], { countsVanished: true })).toEqual([
    { origin: "gleif", before: 30, after: 0 },
  ]);
});

it("what must be forgotten goes without a word, be it added to or replaced", async () => {
  const directory = temporaryFolder();
  const facts = [1, 2, 3].map((number) => sourcedFacts(number));
  await add(directory, ...facts);
  const omit = new Set(["50000001"]);
  const adding = { replace: false, mayShrink: false, omit };
  expect((await importFacts(directory, facts, adding)).snapshot?.companies).toBe(2);
  await add(directory, ...facts);
  const replacing = { replace: true, mayShrink: false, omit };
  expect((await importFacts(directory, facts, replacing)).snapshot?.companies).toBe(2);
  await add(directory, ...facts);
  await expect(importFacts(directory, [sourcedFacts(2)], replacing)).rejects.toThrow(WouldShrink);
});
