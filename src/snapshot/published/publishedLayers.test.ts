import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { damage, following, makeTestKeys, publish } from "../../../test/kit/published.ts";
import { current, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { readPointer } from "../directory.ts";
import { importFacts } from "../importFacts.ts";
import { layersOf } from "../info.ts";
import { rollback } from "../rollback.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";
import type { PublishedSource } from "./source.ts";

const keys = makeTestKeys();
const { signal } = new AbortController();
const ALONE = 0.9;
const MERGING = 0;

/** A publisher with a base of 40 companies, and a node that follows and notes what it downloads. */
async function places() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const [publisher, target, node] = [at("publisher"), at("published"), at("node")];
  const options = following(node, target, keys);
  const downloads: string[] = [];
  const source: PublishedSource = {
    ...options.source,
    file: (name, from, ending) => {
      downloads.push(name);
      return options.source.file(name, from, ending);
    },
  };
  const add = (number: number, maxDeltaShare = ALONE) =>
    importFacts(publisher, [sourcedFacts(number)], { replace: false, maxDeltaShare });
  const facts = Array.from({ length: 40 }, (_, number) => sourcedFacts(number));
  await importFacts(publisher, facts, { replace: false });
  return {
    ...{ publisher, target, node, downloads, add },
    publish: () => publish(publisher, target, keys),
    round: () => new PublishedRegistry({ ...options, source }, 0).round(signal),
  };
}

/** What layers' files among these are, in their order. */
const kindsOf = (names: readonly string[]) =>
  names.filter((name) => !name.includes("names")).map((name) => name.split("-")[0]);
const allOf = (directory: string) => [...current(directory).all()];

describe("a published base with segments", () => {
  it("reaches a node by the files that each of them lacks", async () => {
    const { publisher, target, node, downloads, add, publish, round } = await places();
    expect(await publish()).toMatchObject({ sent: 1, manifest: { format: 1 } });
    await round();
    await add(50);
    await add(51);
    expect(await publish()).toMatchObject({ sent: 2, manifest: { format: 2 } });
    expect(await publish()).toMatchObject({ isNew: false, sent: 0 });
    expect(await round()).toMatchObject({ did: "took", snapshot: { companies: 42 } });
    expect(kindsOf(downloads)).toEqual(["snapshot", "segment", "segment"]);
    expect(allOf(node)).toEqual(allOf(publisher));

    // Segments that were merged are one file more, and the base is sent to nobody again.
    await add(52, MERGING);
    expect(await publish()).toMatchObject({ sent: 1 });
    await round();
    expect(kindsOf(downloads)).toEqual(["snapshot", "segment", "segment", "segment"]);
    expect(allOf(node)).toEqual(allOf(publisher));
    const [here, there] = [node, publisher].map((directory) => readPointer(directory)?.current);
    expect(here?.sha256).toBe(there?.sha256);
    expect(readdirSync(target).filter((name) => name.endsWith(".names.zst"))).toHaveLength(4);
    expect(kindsOf(readdirSync(target).sort())).toEqual([
      "manifest.jsonl",
      "segment",
      "segment",
      "segment",
      "snapshot",
    ]);
    expect(await round()).toEqual({ did: "nothing" });
  });

  it("comes whole to a node that has nothing, and a layer that is damaged here comes anew", async () => {
    const { publisher, node, downloads, add, publish, round } = await places();
    await add(50);
    await publish();
    await round();
    expect(kindsOf(downloads)).toEqual(["snapshot", "segment"]);
    const segment = readPointer(node)?.current.file ?? "";
    damage(join(node, segment));
    await add(51);
    await publish();
    await round();
    expect(kindsOf(downloads)).toEqual(["snapshot", "segment", "segment", "segment"]);
    expect(allOf(node)).toEqual(allOf(publisher));
  });

  it("goes back on all nodes when the publisher does, without a download", async () => {
    const { publisher, node, downloads, add, publish, round } = await places();
    await add(50);
    await publish();
    await round();
    await add(51);
    await publish();
    await round();
    const before = downloads.length;
    await rollback(publisher);
    await publish();
    expect(await round()).toMatchObject({ did: "took", snapshot: { companies: 41 } });
    expect(downloads).toHaveLength(before);
    const info = readPointer(node)?.current;
    expect(info === undefined ? 0 : layersOf(info).length).toBe(2);
  });
});
