import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  manifest as anyManifest,
  damage,
  followingPlaces,
  kindOf,
  makeTestKeys,
  publish,
  publishArchive,
  tarOf,
} from "../../../test/kit/published.ts";
import { add, current, sourcedFacts } from "../../../test/kit/registry.ts";
import { MANIFEST_FILE, MAX_MANIFEST_BYTES, signManifest } from "./manifest.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";

const keys = makeTestKeys();
const { signal } = new AbortController();

const companiesOf = (directory: string) =>
  [...current(directory).all()].map(({ company }) => company.kvkNumber);

const { origins, createdAt } = anyManifest().snapshot;
const described = { file: "snapshot-1.sqlite", sha256: "ef".repeat(32), bytes: 9, companies: 1, branches: 0 };
const POINTER = Buffer.from(JSON.stringify({ current: { number: 1, ...described, origins, createdAt } }));

describe("a publication", () => {
  it("is not fetched if it is too large", async () => {
    const { publisher, target, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    rmSync(join(target, manifest.archive.name));
    expect(await kindOf(round({ maxBytes: manifest.archive.unpackedBytes - 1 }))).toBe("size");
  });

  it("is not fetched without enough disk space", async () => {
    const { target, round, node } = followingPlaces(keys);
    const huge = 2 ** 52;
    mkdirSync(target);
    const { archive } = anyManifest();
    const signed = signManifest(
      anyManifest({ archive: { ...archive, unpackedBytes: huge } }),
      keys.privateKey,
    );
    writeFileSync(join(target, MANIFEST_FILE), signed);
    await expect(round({ maxBytes: huge })).rejects.toThrow("There is no room");
    expect(readdirSync(node)).not.toContain("building");
  });

  it.each<[string, Record<string, Buffer>]>([
    ["without a pointer", { "snapshot-1.sqlite": Buffer.alloc(9) }],
    ["with an invalid pointer", { "current.json": Buffer.from("{}") }],
    ["of another snapshot", { "current.json": POINTER }],
  ])("is rejected with an archive %s", async (_what, files) => {
    const { target, round, node } = followingPlaces(keys);
    mkdirSync(target);
    const tar = await tarOf(files);
    publishArchive(target, { packed: zstdCompressSync(tar), unpackedBytes: tar.length }, keys);
    expect(await kindOf(round())).toBe("content");
    expect(readdirSync(node)).toEqual(["lock.sqlite"]);
  });

  it("is rejected with an overlong manifest", async () => {
    const { target, round } = followingPlaces(keys);
    mkdirSync(target);
    writeFileSync(join(target, MANIFEST_FILE), Buffer.alloc(MAX_MANIFEST_BYTES + 1, 32));
    expect(await kindOf(round())).toBe("untrusted");
  });

  it("signed by an unknown key leaves the current snapshot", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await round();
    await add(publisher, sourcedFacts(2));
    await publish(publisher, target, makeTestKeys());
    expect(await kindOf(round())).toBe("untrusted");
    expect(companiesOf(node)).toEqual(["50000001"]);
    expect(readdirSync(node)).not.toContain("building");
  });
});

describe("an invalid archive", () => {
  it("is retried after growing pauses, while another publication is installed at once", async () => {
    const { publisher, target, options } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    const path = join(target, manifest.archive.name);
    damage(path);
    let nowMs = 0;
    let reads = 0;
    const { source } = options;
    const counting = {
      ...source,
      get: (name: string, until: AbortSignal) => {
        if (name !== MANIFEST_FILE) reads += 1;
        return source.get(name, until);
      },
    };
    const published = new PublishedRegistry({ ...options, source: counting }, 1_000, () => nowMs);
    const triedAt: number[] = [];
    for (; nowMs < 20_000; nowMs += 500) {
      const before = reads;
      expect(await kindOf(published.round(signal))).toBe("content");
      if (reads > before) triedAt.push(nowMs);
    }
    expect(triedAt).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
    await add(publisher, sourcedFacts(2));
    await publish(publisher, target, keys);
    expect((await published.round(signal)).did).toBe("took");
  });
});
