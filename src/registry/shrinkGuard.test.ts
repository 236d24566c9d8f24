import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { add, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { readPointer } from "./directory.ts";
import { importFacts } from "./importFacts.ts";
import { lossesOf, ShrinkRefused } from "./shrinkGuard.ts";

const held = (origin: string, companies: number) => ({ origin, companies });

it("allows the loss of a tenth, and not one company more", () => {
  expect(lossesOf([held("gleif", 30)], [held("gleif", 27)])).toEqual([]);
  expect(lossesOf([held("gleif", 30)], [held("gleif", 26)])).toEqual([
    { origin: "gleif", before: 30, after: 26 },
  ]);
  expect(lossesOf([], [held("gleif", 1)])).toEqual([]);
});

it("counts a missing origin only on request", () => {
  expect(lossesOf([held("gleif", 30)], [held("demo", 1)])).toEqual([]);
  expect(lossesOf([held("gleif", 30)], [held("demo", 1)], { countsVanished: true })).toEqual([
    { origin: "gleif", before: 30, after: 0 },
  ]);
});

it("does not count forgotten companies as a loss, in an addition or a replacement", async () => {
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
  await expect(importFacts(directory, [sourcedFacts(2)], replacing)).rejects.toThrow(ShrinkRefused);
});

it("ignores forgotten companies that were never in the registry, and lets a damaged snapshot be replaced", async () => {
  const directory = temporaryFolder();
  const facts = Array.from({ length: 20 }, (_, index) => sourcedFacts(index + 1));
  await add(directory, ...facts);
  const omit = new Set([91, 92, 93, 94, 95].map((number) => `500000${number}`));
  const replacing = { replace: true, mayShrink: false, omit };
  await expect(importFacts(directory, facts.slice(0, 15), replacing)).rejects.toThrow(ShrinkRefused);
  writeFileSync(join(directory, readPointer(directory)?.current.file ?? ""), "no snapshot");
  expect((await importFacts(directory, facts.slice(0, 15), replacing)).snapshot?.companies).toBe(15);
});
