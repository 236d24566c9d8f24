/** A fetch killed at any moment leaves a complete registry, and the next fetch brings the published snapshot. */
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPointer } from "../../src/registry/directory.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { PublishedRegistry } from "../../src/registry/published/publishedRegistry.ts";
import { verifyAnew } from "../../src/registry/verified.ts";
import { following, makeTestKeys, publish } from "../kit/published.ts";
import { companyFacts, sourcedFacts, temporaryFolder } from "../kit/registry.ts";
import { amount } from "../kit/thorough.ts";
import { foldersOfKills } from "./foldersOfKills.ts";
import { tidy } from "./followed.ts";

const MOMENTS = amount({ ordinary: 8, thorough: 50 });
const keys = makeTestKeys();
const { signal } = new AbortController();
/** Segments stay segments, so that one fetch has several files. */
const maxDeltaShare = 9;

const round = (directory: string, target: string) =>
  new PublishedRegistry(following(directory, target, keys)).round(signal);

it(`a fetch killed at any of ${MOMENTS} moments is continued by the next one`, async () => {
  const folder = temporaryFolder();
  const [publisher, target, node] = [
    join(folder, "publisher"),
    join(folder, "given-out"),
    join(folder, "node"),
  ];
  const add = (number: number) =>
    importFacts(publisher, [sourcedFacts(number)], { replace: false, maxDeltaShare });
  await add(1);
  await publish(publisher, target, keys);
  await round(node, target);
  await add(2);
  await add(3);
  await publish(publisher, target, keys);
  const before = readPointer(node)?.current.sha256;
  const published = readPointer(publisher)?.current.sha256;

  const again = `${node}-again`;
  fs.cpSync(node, again, { recursive: true });
  const calls = (await foldersOfKills(again, () => round(again, target), 1)).length;
  const folders = await foldersOfKills(node, () => round(node, target), Math.floor(calls / MOMENTS));
  expect(folders.length).toBeGreaterThanOrEqual(MOMENTS * 0.9);

  const found: unknown[] = [];
  for (const directory of folders) {
    const left = readPointer(directory)?.current;
    if (left === undefined) throw new Error(`${directory} has no pointer`);
    await verifyAnew(directory, left);
    found.push(left.sha256);
    const { did } = await round(directory, target);
    // A fetch killed after it finished leaves its downloads until the next publication.
    if (did !== "took") expect([did, left.sha256]).toEqual(["nothing", published]);
    expect(readPointer(directory)?.current.sha256).toBe(published);
    const snapshot = openCurrentSnapshot(directory);
    expect(snapshot?.autocomplete("voorbeeld", 8)).toHaveLength(3);
    expect(snapshot?.basic(companyFacts(3).kvkNumber)).toBeDefined();
    snapshot?.close();
    if (did === "took") await tidy(directory);
  }
  expect(new Set(found)).toEqual(new Set([before, published]));
}, 120_000);
