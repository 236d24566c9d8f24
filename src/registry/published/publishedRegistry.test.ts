import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  archiveOf,
  damage,
  followingPlaces,
  kindOf,
  makeTestKeys,
  publish,
  publishArchive,
} from "../../../test/kit/published.ts";
import { add, current, NAMES, sourcedFacts } from "../../../test/kit/registry.ts";
import { readPointer } from "../directory.ts";
import { RegistryBusy } from "../errors.ts";
import { importFacts } from "../importFacts.ts";
import { takeLock } from "../lock.ts";
import { rollback } from "../rollback.ts";
import { MANIFEST_FILE } from "./manifest.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";

const keys = makeTestKeys();
const { signal } = new AbortController();

const companiesOf = (directory: string) =>
  [...current(directory).all()].map(({ company }) => company.kvkNumber);

/** The files that may be in an idle folder. */
function expectTidy(directory: string): void {
  const snapshots = [readPointer(directory)?.current.file, readPointer(directory)?.previous?.file];
  const expected = [
    "current.json",
    "lock.sqlite",
    "published.json",
    ...snapshots.flatMap((file) =>
      file === undefined
        ? []
        : ["sqlite", NAMES, "verified", `verified-${NAMES}`].map((kind) => file.replace("sqlite", kind)),
    ),
  ];
  expect(readdirSync(directory).sort()).toEqual(expected.sort());
}

describe("a round", () => {
  it("installs the published snapshot byte for byte, and nothing in the next round", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    const { snapshot } = await add(publisher, sourcedFacts(1), sourcedFacts(2));
    await publish(publisher, target, keys);
    expect(await round()).toMatchObject({ did: "took", snapshot });
    expect(companiesOf(node)).toEqual(["50000001", "50000002"]);
    expect(readFileSync(join(node, "snapshot-1.sqlite"))).toEqual(
      readFileSync(join(publisher, snapshot?.file ?? "")),
    );
    expect(await round()).toEqual({ did: "nothing" });
    expectTidy(node);
  });

  it("keeps the replaced snapshot for a rollback, which the same publication does not undo", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    for (const number of [1, 2]) {
      await add(publisher, sourcedFacts(number));
      await publish(publisher, target, keys);
      await round();
    }
    await rollback(node);
    expect(await round()).toEqual({ did: "nothing" });
    expect(companiesOf(node)).toEqual(["50000001"]);
    await add(publisher, sourcedFacts(3));
    await publish(publisher, target, keys);
    expect((await round()).did).toBe("took");
    expect(companiesOf(node)).toHaveLength(3);
  });

  it("fetches nothing and undoes no rollback when only the signature was renewed", async () => {
    const { publisher, target, node, options, round } = followingPlaces(keys);
    for (const number of [1, 2]) {
      await add(publisher, sourcedFacts(number));
      await publish(publisher, target, keys, () => 1_800_000_000_000 + number);
      await round();
    }
    await rollback(node);
    const { manifest } = await publish(publisher, target, keys, () => 1_900_000_000_000);
    rmSync(join(target, manifest.archive.name));
    const registry = new PublishedRegistry(options);
    expect(await registry.round(signal)).toEqual({ did: "nothing" });
    expect(registry.signedAt).toBe(new Date(1_900_000_000_000).toISOString());
    expect(companiesOf(node)).toEqual(["50000001"]);
  });

  it("reports how many companies an origin lost, except those of local imports", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    const replaceBy = (count: number) =>
      importFacts(
        publisher,
        Array.from({ length: count }, (_, index) => sourcedFacts(index)),
        { replace: true },
      );
    await replaceBy(20);
    await publish(publisher, target, keys);
    expect(await round()).toMatchObject({ did: "took", losses: [] });
    await replaceBy(10);
    await publish(publisher, target, keys, Date.now, { allowShrink: true });
    expect(await round()).toMatchObject({ did: "took", losses: [{ origin: "demo", before: 20, after: 10 }] });
    await add(node, sourcedFacts(1, {}, { origin: "import:own" }));
    await replaceBy(11);
    await publish(publisher, target, keys);
    expect(await round()).toMatchObject({ did: "took", losses: [] });
  });

  it("goes back with the publisher and reuses local files", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    for (const number of [1, 2]) {
      await add(publisher, sourcedFacts(number));
      await publish(publisher, target, keys);
      await round();
    }
    await rollback(publisher);
    const { manifest } = await publish(publisher, target, keys);
    rmSync(join(target, manifest.archive.name));
    expect(await round()).toMatchObject({ did: "took", snapshot: { number: 1 } });
    expect(companiesOf(node)).toEqual(["50000001"]);
    expect(readPointer(node)?.previous?.number).toBe(2);
    expectTidy(node);
  });

  it("rejects an older manifest with a valid signature unless allowed", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    const old = readFileSync(join(target, MANIFEST_FILE));
    await add(publisher, sourcedFacts(2));
    await publish(publisher, target, keys);
    await round();
    writeFileSync(join(target, MANIFEST_FILE), old);
    expect(await kindOf(round())).toBe("older");
    expect(companiesOf(node)).toHaveLength(2);
    expect((await round({ allowOlder: true })).did).toBe("took");
    expect(companiesOf(node)).toHaveLength(1);
    expect(await round()).toEqual({ did: "nothing" });
  });

  it("rejects another snapshot with the installed serial", async () => {
    const { target, round, publisher } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    await round();
    publishArchive(target, await archiveOf(Buffer.from("another")), keys, manifest.serial);
    expect(await kindOf(round())).toBe("older");
  });

  it("reinstalls the publication when the current snapshot is damaged or missing", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await round();
    damage(join(node, "snapshot-1.sqlite"));
    expect((await round()).did).toBe("took");
    writeFileSync(join(node, "current.json"), "{");
    expect((await round()).did).toBe("took");
    rmSync(join(node, "current.json"));
    expect((await round()).did).toBe("took");
    expect(companiesOf(node)).toEqual(["50000001"]);
    expectTidy(node);
  });

  it("replaces a local import by the next publication and keeps it as the previous snapshot", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await importFacts(node, [sourcedFacts(7)], { replace: false });
    expect((await round()).did).toBe("took");
    expect(companiesOf(node)).toEqual(["50000001"]);
    await rollback(node);
    expect(companiesOf(node)).toEqual(["50000007"]);
  });

  it("is refused while another process uses the folder, and changes nothing", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    const lock = takeLock(node);
    await expect(round()).rejects.toThrow(RegistryBusy);
    lock.release();
    expect((await round()).did).toBe("took");
  });

  it("deletes leftovers of a killed download", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    mkdirSync(join(node, "building"), { recursive: true });
    writeFileSync(join(node, "building", "registry-1.tar.zst"), "left");
    expect((await round()).did).toBe("took");
    expectTidy(node);
  });

  it("builds the index before it installs the snapshot of a publisher whose version has another index", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    mkdirSync(target);
    const layer = readFileSync(join(publisher, "snapshot-1.sqlite"));
    publishArchive(target, await archiveOf(layer, 1, Buffer.from("an index of another version")), keys);
    expect(await round()).toMatchObject({ did: "took" });
    expect(existsSync(join(node, `snapshot-1.${NAMES}`))).toBe(true);
    expectTidy(node);
  });

  it("uses the publisher's name index", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await round();
    const [here, there] = [node, publisher].map((at) => readFileSync(join(at, `snapshot-1.${NAMES}`)));
    expect(here).toEqual(there);
    expect(current(node).autocomplete("voorbeeld", 8)).toHaveLength(1);
  });

  it("reuses an existing base when a segment arrives, and replaces a damaged one", async () => {
    const { publisher, target, node, round } = followingPlaces(keys);
    const maxDeltaShare = 9;
    const inodeOf = (name: string) => statSync(join(node, name)).ino;
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await round();
    const before = inodeOf("snapshot-1.sqlite");
    for (const number of [2, 3]) {
      await importFacts(publisher, [sourcedFacts(number)], { replace: false, maxDeltaShare });
      await publish(publisher, target, keys);
      expect((await round()).did).toBe("took");
      expect([...current(node).all()]).toEqual([...current(publisher).all()]);
      expect(inodeOf("snapshot-1.sqlite")).toBe(before);
      damage(join(node, readPointer(node)?.current.file ?? ""));
    }
    expect((await round()).did).toBe("took");
    expect([...current(node).all()]).toEqual([...current(publisher).all()]);
  });
});
