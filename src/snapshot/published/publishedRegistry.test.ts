import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { damage, following, makeTestKeys, publish, publishBytes } from "../../../test/kit/published.ts";
import { add, current, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { readPointer } from "../directory.ts";
import { importFacts } from "../importFacts.ts";
import { takeLock } from "../lock.ts";
import { rollback } from "../rollback.ts";
import { FetchFailure, type FetchFailureKind } from "./failure.ts";
import type { TakeOptions } from "./fetchPublished.ts";
import { MANIFEST_FILE, MOST_MANIFEST_BYTES } from "./manifest.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";
import type { FetchOptions } from "./source.ts";

const keys = makeTestKeys();
const { signal } = new AbortController();

/** A publisher's registry, the folder that it publishes in, and a node that follows. */
function places() {
  const folder = temporaryFolder();
  const [publisher, target, node] = ["publisher", "published", "node"].map((name) => join(folder, name));
  if (publisher === undefined || target === undefined || node === undefined)
    throw new RangeError("no folders");
  const options = following(node, target, keys);
  return {
    publisher,
    target,
    node,
    options,
    /** One round of a process of its own. */
    round: (how: TakeOptions = {}, changed: Partial<FetchOptions> = {}) =>
      new PublishedRegistry({ ...options, ...changed }, 0).round(signal, how),
  };
}

const companiesOf = (directory: string) =>
  [...current(directory).all()].map(({ company }) => company.kvkNumber);

async function kindOf(work: Promise<unknown>): Promise<FetchFailureKind> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FetchFailure) return error.kind;
  throw error ?? new Error("it was accepted");
}

/** What may be in a folder when nothing is under way. */
function expectTidy(directory: string): void {
  const snapshots = [readPointer(directory)?.current.file, readPointer(directory)?.previous?.file];
  const expected = [
    "current.json",
    "lock.sqlite",
    "published.json",
    ...snapshots.flatMap((file) =>
      file === undefined
        ? []
        : ["sqlite", "names", "verified", "verified-names"].map((kind) => file.replace("sqlite", kind)),
    ),
  ];
  expect(readdirSync(directory).sort()).toEqual(expected.sort());
}

describe("a round", () => {
  it("brings the published snapshot to an empty folder, byte for byte, and after it nothing new", async () => {
    const { publisher, target, node, round } = places();
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

  it("makes what was current the previous one, for a rollback here, which the same publication does not undo", async () => {
    const { publisher, target, node, round } = places();
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

  it("takes a manifest that was only signed anew for a sign of life: it fetches nothing and undoes no rollback", async () => {
    const { publisher, target, node, options, round } = places();
    for (const number of [1, 2]) {
      await add(publisher, sourcedFacts(number));
      await publish(publisher, target, keys, () => 1_800_000_000_000 + number);
      await round();
    }
    await rollback(node);
    const { manifest } = await publish(publisher, target, keys, () => 1_900_000_000_000);
    rmSync(join(target, manifest.file.name));
    const registry = new PublishedRegistry(options, 0);
    expect(await registry.round(signal)).toEqual({ did: "nothing" });
    expect(registry.signedAt).toBe(new Date(1_900_000_000_000).toISOString());
    expect(companiesOf(node)).toEqual(["50000001"]);
  });

  it("tells of what is taken how much smaller it is, unless that was this node's own", async () => {
    const { publisher, target, node, round } = places();
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

  it("goes back when the publisher does, without fetching what is here", async () => {
    const { publisher, target, node, round } = places();
    for (const number of [1, 2]) {
      await add(publisher, sourcedFacts(number));
      await publish(publisher, target, keys);
      await round();
    }
    await rollback(publisher);
    const { manifest } = await publish(publisher, target, keys);
    rmSync(join(target, manifest.file.name));
    expect(await round()).toMatchObject({ did: "took", snapshot: { number: 1 } });
    expect(companiesOf(node)).toEqual(["50000001"]);
    expect(readPointer(node)?.previous?.number).toBe(2);
    expectTidy(node);
  });

  it("refuses an older manifest, however rightly it is signed, unless that is asked for", async () => {
    const { publisher, target, node, round } = places();
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

  it("refuses another snapshot under the serial that was taken", async () => {
    const { target, round, publisher } = places();
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    await round();
    publishBytes(target, Buffer.from("another"), keys, { serial: manifest.serial });
    expect(await kindOf(round())).toBe("older");
  });

  it("takes the same publication again when the current snapshot is damaged or gone", async () => {
    const { publisher, target, node, round } = places();
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await round();
    damage(join(node, "snapshot-1.sqlite"));
    expect(await round()).toEqual({ did: "nothing" });
    expect((await round({ verifiesCurrent: true })).did).toBe("took");
    writeFileSync(join(node, "current.json"), "{");
    expect((await round()).did).toBe("took");
    rmSync(join(node, "current.json"));
    expect((await round()).did).toBe("took");
    expect(companiesOf(node)).toEqual(["50000001"]);
    expectTidy(node);
  });

  it("adds nothing up: an import here is replaced by the next publication, and kept as the previous one", async () => {
    const { publisher, target, node, round } = places();
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await importFacts(node, [sourcedFacts(7)], { replace: false });
    expect((await round()).did).toBe("took");
    expect(companiesOf(node)).toEqual(["50000001"]);
    await rollback(node);
    expect(companiesOf(node)).toEqual(["50000007"]);
  });

  it("says so while another process works in the folder, and changes nothing", async () => {
    const { publisher, target, node, round } = places();
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    const lock = takeLock(node);
    expect(await round()).toMatchObject({ did: "busy" });
    lock.release();
    expect((await round()).did).toBe("took");
  });

  it("goes on with what is there of the file, clears what is there of others, and finds out a wrong beginning", async () => {
    const { publisher, target, node, round } = places();
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    const packed = readFileSync(join(target, manifest.file.name));
    const fetching = join(node, "fetching");
    await importFacts(node, [sourcedFacts(7)], { replace: false });
    const leave = (bytes: Buffer) => {
      mkdirSync(fetching, { recursive: true });
      writeFileSync(join(fetching, manifest.file.name), bytes);
      writeFileSync(join(fetching, "snapshot-of-long-ago"), "left");
    };
    leave(Buffer.alloc(100, 7));
    expect(await kindOf(round())).toBe("content");
    expect(readdirSync(fetching)).toEqual([]);
    leave(packed.subarray(0, 100));
    // Only the rest is asked for: the beginning is not there any more.
    writeFileSync(join(target, manifest.file.name), Buffer.concat([Buffer.alloc(100), packed.subarray(100)]));
    expect((await round()).did).toBe("took");
    expectTidy(node);
  });
});

describe("what is refused", () => {
  it("for its size is not fetched", async () => {
    const { publisher, target, round } = places();
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    rmSync(join(target, manifest.file.name));
    expect(await kindOf(round({}, { maxBytes: manifest.snapshot.bytes - 1 }))).toBe("size");
  });

  it("for the disk is not fetched", async () => {
    const { target, round, node } = places();
    const huge = 2 ** 52;
    mkdirSync(target);
    publishBytes(target, Buffer.from("small"), keys, { bytes: huge });
    expect(await kindOf(round({}, { maxBytes: huge }))).toBe("disk");
    expect(readdirSync(node)).not.toContain("building");
  });

  it("as a manifest is a file that is longer than any", async () => {
    const { target, round } = places();
    mkdirSync(target);
    writeFileSync(join(target, MANIFEST_FILE), Buffer.alloc(MOST_MANIFEST_BYTES + 1, 32));
    expect(await kindOf(round())).toBe("manifest");
  });

  it("leaves what is current, also when nobody signed it with a key of ours", async () => {
    const { publisher, target, node, round } = places();
    await add(publisher, sourcedFacts(1));
    await publish(publisher, target, keys);
    await round();
    await add(publisher, sourcedFacts(2));
    await publish(publisher, target, makeTestKeys());
    expect(await kindOf(round())).toBe("signature");
    expect(companiesOf(node)).toEqual(["50000001"]);
    expectTidy(node);
  });
});

describe("a file that turned out bad", () => {
  it("is left alone for longer and longer, and another publication is taken at once", async () => {
    const { publisher, target, options } = places();
    await add(publisher, sourcedFacts(1));
    const { manifest } = await publish(publisher, target, keys);
    const path = join(target, manifest.file.name);
    damage(path);
    let nowMs = 0;
    let reads = 0;
    const { source } = options;
    const counting = {
      ...source,
      file: (...asked: Parameters<typeof source.file>) => {
        reads += 1;
        return source.file(...asked);
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
