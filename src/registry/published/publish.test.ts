import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { zstdDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { damage, makeTestKeys, publish, sha256 } from "../../../test/kit/published.ts";
import { add, NAMES, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { importFacts } from "../importFacts.ts";
import { takeLock } from "../lock.ts";
import { MANIFEST_FILE, readManifest } from "./manifest.ts";
import { readTar } from "./tar.ts";

function folders() {
  return { directory: join(temporaryFolder(), "registry"), target: join(temporaryFolder(), "published") };
}

const archivesIn = (target: string) => readdirSync(target).filter((name) => name.endsWith(".tar.zst"));

/** The names and contents of the files in an archive. */
async function filesIn(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { name, body } of readTar(Readable.from([zstdDecompressSync(readFileSync(path))]))) {
    files.set(name, Buffer.concat(await Array.fromAsync(body)));
  }
  return files;
}

describe("publishing", () => {
  it("writes an archive with all files that a node needs, and a manifest that describes it", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    const maxDeltaShare = 9;
    await add(directory, sourcedFacts(1), sourcedFacts(2));
    const { snapshot } = await importFacts(directory, [sourcedFacts(3)], { replace: false, maxDeltaShare });
    const { manifest, isNew } = await publish(directory, target, keys, () => 1_800_000_000_000);
    expect(isNew).toBe(true);
    expect(readManifest(readFileSync(join(target, MANIFEST_FILE)), [keys.publicKey])).toEqual(manifest);
    expect(readdirSync(target).sort()).toEqual([MANIFEST_FILE, "registry-1800000000000.tar.zst"]);
    const packed = readFileSync(join(target, manifest.archive.name));
    expect([sha256(packed), packed.length]).toEqual([manifest.archive.sha256, manifest.archive.bytes]);
    expect(zstdDecompressSync(packed)).toHaveLength(manifest.archive.unpackedBytes);
    const { sha256: content, companies, origins, createdAt } = snapshot ?? {};
    expect(manifest.snapshot).toEqual({ sha256: content, companies, origins, createdAt });
    expect([manifest.serial, manifest.publishedAt]).toEqual([1_800_000_000_000, "2027-01-15T08:00:00.000Z"]);
    const files = await filesIn(join(target, manifest.archive.name));
    const expected = ["snapshot-1.sqlite", "snapshot-1.names", "segment-2.sqlite", "segment-2.names"];
    expect([...files.keys()]).toEqual(["current.json", ...expected]);
    for (const name of expected)
      expect(files.get(name)).toEqual(readFileSync(join(directory, name.replace(".names", `.${NAMES}`))));
    expect(JSON.parse(files.get("current.json")?.toString() ?? "")).toMatchObject({ current: snapshot });
  });

  it("first builds a missing or damaged name index", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    await add(directory, sourcedFacts(1));
    const index = readFileSync(join(directory, `snapshot-1.${NAMES}`));
    damage(join(directory, `snapshot-1.${NAMES}`));
    const { manifest } = await publish(directory, target, keys);
    expect((await filesIn(join(target, manifest.archive.name))).get("snapshot-1.names")).toEqual(index);
  });

  it("renews the signature when the snapshot is already published", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    await add(directory, sourcedFacts(1));
    const { manifest } = await publish(directory, target, keys, () => 1_800_000_000_000);
    const packed = statSync(join(target, manifest.archive.name));
    const again = await publish(directory, target, keys, () => 1_800_000_060_000);
    expect(again).toEqual({
      manifest: { ...manifest, publishedAt: "2027-01-15T08:01:00.000Z" },
      isNew: false,
    });
    expect(readManifest(readFileSync(join(target, MANIFEST_FILE)), [keys.publicKey])).toEqual(again.manifest);
    expect(statSync(join(target, manifest.archive.name))).toMatchObject({
      ino: packed.ino,
      mtimeMs: packed.mtimeMs,
    });
  });

  it("replaces a truncated publication and one signed by another key", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    await add(directory, sourcedFacts(1));
    const { manifest } = await publish(directory, target, keys);
    truncateSync(join(target, manifest.archive.name), 10);
    const again = await publish(directory, target, keys);
    expect([again.isNew, again.manifest.serial > manifest.serial]).toEqual([true, true]);
    expect(sha256(readFileSync(join(target, again.manifest.archive.name)))).toBe(
      again.manifest.archive.sha256,
    );
    const next = makeTestKeys();
    expect((await publish(directory, target, next)).isNew).toBe(true);
    writeFileSync(join(target, MANIFEST_FILE), "no manifest");
    expect((await publish(directory, target, next)).isNew).toBe(true);
  });

  it("refuses to remove more than a tenth of an origin's companies unless allowed", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    const companies = (count: number) => Array.from({ length: count }, (_, index) => sourcedFacts(index + 1));
    const replaceBy = (count: number, origin = "demo") =>
      importFacts(
        directory,
        companies(count).map((one) => ({ ...one, origin })),
        { replace: true },
      );
    await replaceBy(20);
    await publish(directory, target, keys);
    const before = readFileSync(join(target, MANIFEST_FILE));
    await replaceBy(17);
    await expect(publish(directory, target, keys)).rejects.toThrow(
      "This publication would take away 3 of the 20 companies of demo (15.0 %) and leave 17. What is published has not changed.",
    );
    expect(readFileSync(join(target, MANIFEST_FILE))).toEqual(before);
    await replaceBy(18);
    expect((await publish(directory, target, keys)).isNew).toBe(true);
    // A missing origin is a loss too.
    await replaceBy(20, "gleif");
    await expect(publish(directory, target, keys)).rejects.toThrow("18 of the 18 companies of demo");
    expect((await publish(directory, target, keys, Date.now, { allowShrink: true })).isNew).toBe(true);
  });

  it("increases the serial with each publication, even if the clock went back", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    const serials: number[] = [];
    for (const [number, now] of [1_800_000_000_000, 1_700_000_000_000, 1_900_000_000_000].entries()) {
      await add(directory, sourcedFacts(number + 1));
      serials.push((await publish(directory, target, keys, () => now)).manifest.serial);
    }
    expect(serials).toEqual([1_800_000_000_000, 1_800_000_000_001, 1_900_000_000_000]);
  });

  it("keeps the previous archive, and deletes older ones and leftovers of a kill", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    const names: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      await add(directory, sourcedFacts(number));
      names.push((await publish(directory, target, keys)).manifest.archive.name);
      expect(archivesIn(target).sort()).toEqual(names.slice(-2).sort());
      writeFileSync(join(target, ".publishing-1"), "left");
      writeFileSync(join(target, "index.html"), "not ours");
    }
    await add(directory, sourcedFacts(5));
    await publish(directory, target, keys);
    expect(readdirSync(target).filter((name) => !name.endsWith(".zst"))).toEqual([
      "index.html",
      MANIFEST_FILE,
    ]);
  });

  it("does not publish a damaged snapshot and keeps the current publication", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    await add(directory, sourcedFacts(1));
    await publish(directory, target, keys);
    const before = readdirSync(target);
    const { snapshot } = await add(directory, sourcedFacts(2));
    damage(join(directory, snapshot?.file ?? ""));
    await expect(publish(directory, target, keys)).rejects.toThrow("SHA-256 differs");
    expect(readdirSync(target)).toEqual(before);
  });

  it("explains what to do without a registry, without write permission, or during an import", async () => {
    const { directory, target } = folders();
    const keys = makeTestKeys();
    await expect(publish(directory, target, keys)).rejects.toThrow("opzoek import");
    expect(existsSync(directory)).toBe(false);
    await add(directory, sourcedFacts(1));
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(publish(directory, join(file, "published"), keys)).rejects.toThrow(
      "cannot be written (ENOTDIR)",
    );
    const lock = takeLock(directory);
    await expect(publish(directory, target, keys)).rejects.toThrow("wait until it is done");
    lock.release();
  });
});
