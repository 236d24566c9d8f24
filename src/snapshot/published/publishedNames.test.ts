import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { damage, following, makeTestKeys, publish } from "../../../test/kit/published.ts";
import { add, current, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import { FetchFailure } from "./failure.ts";
import { NAMES_LIST_FILE, readNamesList, signNamesList } from "./namesList.ts";
import { PublishedRegistry } from "./publishedRegistry.ts";
import type { PublishedSource } from "./source.ts";

const keys = makeTestKeys();
const { signal } = new AbortController();

/** A publication of one company, and a node that follows it. */
async function places() {
  const folder = temporaryFolder();
  const [publisher, target, node] = [join(folder, "a"), join(folder, "b"), join(folder, "c")];
  await add(publisher, sourcedFacts(1));
  const options = following(node, target, keys);
  const stages = new Set<string>();
  const onProgress = ({ stage }: { stage: string }) => stages.add(stage);
  return {
    publisher,
    target,
    node,
    stages,
    source: options.source,
    publish: () => publish(publisher, target, keys),
    round: (source: PublishedSource = options.source) =>
      new PublishedRegistry({ ...options, onProgress, source }, 0).round(signal),
    /** The published index, compressed. */
    packed: () => join(target, readdirSync(target).find((name) => name.endsWith(".names.zst")) ?? "none"),
    list: () => readNamesList(readFileSync(join(target, NAMES_LIST_FILE)), [keys.publicKey]),
    sign: (names: Parameters<typeof signNamesList>[0]) =>
      writeFileSync(join(target, NAMES_LIST_FILE), signNamesList(names, keys.privateKey)),
  };
}

/** Names are found in what was fetched, by an index that is the publisher's byte for byte. */
function expectFindable(node: string, publisher: string): void {
  const [here, there] = [node, publisher].map((folder) => readFileSync(join(folder, "snapshot-1.names")));
  expect(here?.equals(there ?? Buffer.alloc(0))).toBe(true);
  expect(current(node).autocomplete("voorbeeld", 8)).toHaveLength(1);
}

describe("a published index of names", () => {
  it("comes with the snapshot, and need not be built", async () => {
    const { publisher, node, stages, publish: send, round } = await places();
    await send();
    expect(await round()).toMatchObject({ did: "took" });
    expect(stages).toContain("unpacking names");
    expectFindable(node, publisher);
  });

  it("is published later where it was not there at first, and sent once", async () => {
    const { publisher, publish: send, list, packed } = await places();
    const path = join(publisher, "snapshot-1.names");
    const index = readFileSync(path);
    damage(path);
    await send();
    expect(list()).toEqual([]);
    writeFileSync(path, index);
    expect(await send()).toMatchObject({ isNew: false });
    expect(list()).toHaveLength(1);
    const { mtimeMs } = statSync(packed());
    await send();
    expect(statSync(packed()).mtimeMs).toBe(mtimeMs);
  });

  it.each<[string, (at: Awaited<ReturnType<typeof places>>) => void]>([
    ["there is no list", ({ target }) => rmSync(join(target, NAMES_LIST_FILE))],
    ["its list was changed", ({ target }) => damage(join(target, NAMES_LIST_FILE))],
    ["its list is empty", ({ target }) => truncateSync(join(target, NAMES_LIST_FILE))],
    ["it is of another version", ({ list, sign }) => sign(list().map((one) => ({ ...one, version: 99 })))],
    [
      "it is of another file",
      ({ list, sign }) => sign(list().map((one) => ({ ...one, of: "0".repeat(64) }))),
    ],
    [
      "it is larger than allowed",
      ({ list, sign }) => sign(list().map((one) => ({ ...one, bytes: 2 ** 31 }))),
    ],
    ["it unpacks to more", ({ list, sign }) => sign(list().map((one) => ({ ...one, bytes: 5 })))],
    ["its file is gone", ({ packed }) => rmSync(packed())],
    ["its file is damaged", ({ packed }) => damage(packed())],
  ])("is built here where %s", async (_, spoil) => {
    const at = await places();
    await at.publish();
    spoil(at);
    expect(await at.round()).toMatchObject({ did: "took" });
    expectFindable(at.node, at.publisher);
    expect(readdirSync(at.node)).not.toContain("fetching");
  });

  it("is gone on with when its download was cut", async () => {
    const { publisher, node, stages, source, publish: send, round, list } = await places();
    await send();
    const name = list()[0]?.file.name ?? "";
    const asked: [name: string, from: number][] = [];
    let cutAfter: number | undefined = 100;
    const cutting: PublishedSource = {
      ...source,
      async file(wanted, from, until) {
        asked.push([wanted, from]);
        const { start, body } = await source.file(wanted, from, until);
        return { start, body: wanted === name ? cut(body) : body };
      },
    };
    async function* cut(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of body) {
        yield part.subarray(0, cutAfter);
        if (cutAfter !== undefined) throw new FetchFailure("cut", "the connection was cut");
      }
    }
    await expect(round(cutting)).rejects.toThrow("was cut");
    cutAfter = undefined;
    expect(await round(cutting)).toMatchObject({ did: "took" });
    expect(asked.slice(1)).toEqual([
      [name, 0],
      [name, 100],
    ]);
    expect(stages).toContain("unpacking names");
    expectFindable(node, publisher);
  });
});
