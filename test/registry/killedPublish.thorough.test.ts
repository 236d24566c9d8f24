/**
 * A publication or rollback killed at any moment leaves the previous or the new state complete, and can be repeated.
 */
import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPointer } from "../../src/registry/directory.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { PublishedRegistry } from "../../src/registry/published/publishedRegistry.ts";
import { rollback } from "../../src/registry/rollback.ts";
import { verifyAnew } from "../../src/registry/verified.ts";
import { following, makeTestKeys, publish } from "../kit/published.ts";
import { sourcedFacts, temporaryFolder } from "../kit/registry.ts";
import { amount } from "../kit/thorough.ts";
import { foldersOfKills } from "./foldersOfKills.ts";

const MOMENTS = amount({ ordinary: 5, thorough: 50 });
/** Segments stay segments, so that several files are published at once. */
const maxDeltaShare = 9;

const ARCHIVE = /^registry-[0-9]+\.tar\.zst$/;

const add = (directory: string, number: number) =>
  importFacts(directory, [sourcedFacts(number)], { replace: false, maxDeltaShare });

it("a killed publication leaves the previous or the new one for nodes, and the next one completes it", async () => {
  const folder = temporaryFolder();
  const keys = makeTestKeys();
  const [publisher, target] = [join(folder, "publisher"), join(folder, "given-out")];
  await add(publisher, 1);
  await publish(publisher, target, keys);
  const before = readPointer(publisher)?.current.sha256;
  await add(publisher, 2);
  await add(publisher, 3);
  const latest = readPointer(publisher)?.current.sha256;

  const counted = join(folder, "counted");
  fs.cpSync(target, counted, { recursive: true });
  const calls = (await foldersOfKills(counted, () => publish(publisher, counted, keys), 1)).length;
  const every = Math.max(1, Math.floor(calls / MOMENTS));
  const folders = await foldersOfKills(target, () => publish(publisher, target, keys), every);
  expect(folders.length).toBeGreaterThanOrEqual(Math.min(calls, MOMENTS) * 0.9);

  const taken = new Set<string | undefined>();
  for (const left of folders) {
    const node = `${left}-node`;
    const round = () =>
      new PublishedRegistry(following(node, left, keys)).round(new AbortController().signal);
    expect(await round()).toMatchObject({ did: "took" });
    taken.add(readPointer(node)?.current.sha256);
    await publish(publisher, left, keys);
    await round();
    expect(readPointer(node)?.current.sha256).toBe(latest);
    const names = fs.readdirSync(left).sort();
    expect(names).toEqual(["manifest.json", expect.stringMatching(ARCHIVE), expect.stringMatching(ARCHIVE)]);
  }
  expect(taken).toEqual(new Set([before, latest]));
}, 300_000);

it("a killed rollback leaves one of the two snapshots, with which work continues", async () => {
  const folder = temporaryFolder();
  const directory = join(folder, "registry");
  for (const number of [1, 2, 3]) await add(directory, number);
  const { current, previous } = readPointer(directory) ?? {};
  const folders = await foldersOfKills(directory, () => rollback(directory), 1);
  expect(folders.length).toBeGreaterThan(5);

  const found = new Set<string | undefined>();
  for (const left of folders) {
    const now = readPointer(left);
    if (now?.previous === undefined) throw new Error(`${left} has no previous snapshot`);
    await verifyAnew(left, now.current);
    await verifyAnew(left, now.previous);
    found.add(now.current.sha256);
    expect((await rollback(left)).sha256).toBe(now.previous.sha256);
    expect((await add(left, 4)).snapshot?.companies).toBe(now.previous.companies + 1);
  }
  expect(found).toEqual(new Set([current?.sha256, previous?.sha256]));
});
