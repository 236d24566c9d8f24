/** A publisher that is slow, or cannot be reached, holds a round up for a bounded time and loses nothing that came. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { openCurrentSnapshot } from "../../src/snapshot/openSnapshot.ts";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { FetchFailure } from "../../src/snapshot/published/failure.ts";
import { openSource } from "../../src/snapshot/published/openSource.ts";
import { PublishedRegistry } from "../../src/snapshot/published/publishedRegistry.ts";
import { PATIENCE, type Patience } from "../../src/snapshot/published/source.ts";
import { afterFile } from "../kit/afterFile.ts";
import { downloads } from "../kit/publisher.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import { makePublishing, type Publishing } from "./followed.ts";

const PART = 1_000;
const { signal } = new AbortController();

let publishing: Publishing;
let fileName: string;
beforeAll(async () => {
  publishing = await makePublishing();
  fileName = (await publishing.publishNext()).file.name;
});

/** A process that follows in a folder of its own and has this patience. */
function follower(patience: Partial<Patience>, url = publishing.server.url) {
  const directory = registryDirectory(temporaryFolder());
  const round = (changed: Partial<Patience>) => {
    const used = { ...PATIENCE, ...changed };
    const source = openSource(url, used);
    afterFile(() => source.close());
    const publicKeys = [publishing.keys.publicKey];
    return new PublishedRegistry(
      { directory, source, publicKeys, maxBytes: 2 ** 30, patience: used },
      0,
    ).round(signal);
  };
  return { directory, impatient: () => round(patience), patient: () => round({}) };
}

async function failureOf(work: Promise<unknown>): Promise<FetchFailure> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FetchFailure) return error;
  throw error ?? new Error("it did not fail");
}

it.each<[string, Partial<Patience>]>([
  ["stalls", { stallMs: 100 }],
  ["comes too slowly as a whole", { downloadMs: 300 }],
])("a file that %s is left for now, and gone on with in the next round", async (_how, patience) => {
  const { directory, impatient, patient } = follower(patience);
  publishing.server.fault = { kind: "hang", afterBytes: PART };
  const part = join(directory, "fetching", fileName);
  // On a machine that was held up the time is over before anything has come: then nothing is there to go on with.
  await until("a part of it is there", async () => {
    expect((await failureOf(impatient())).kind).toBe("slow");
    return (statSync(part, { throwIfNoEntry: false })?.size ?? 0) > 0;
  });
  expect(statSync(part).size).toBe(PART);
  publishing.server.fault = undefined;
  expect((await patient()).did).toBe("took");
  expect(downloads(publishing.server).at(-1)?.range).toBe(`bytes=${PART}-`);
  openCurrentSnapshot(directory)?.close();
  expect(readdirSync(directory).sort()).toEqual([
    "current.json",
    "lock.sqlite",
    "published.json",
    "snapshot-1.names",
    "snapshot-1.sqlite",
    "snapshot-1.verified",
    "snapshot-1.verified-names",
  ]);
});

it("a round that is stopped ends at once, keeps what came, and lets others work in the folder", async () => {
  const { directory, patient } = follower({});
  const source = openSource(publishing.server.url);
  afterFile(() => source.close());
  const stopping = new AbortController();
  publishing.server.fault = { kind: "hang", afterBytes: PART };
  const stopped = new PublishedRegistry(
    {
      directory,
      source,
      publicKeys: [publishing.keys.publicKey],
      maxBytes: 2 ** 30,
      onProgress: ({ done }) => {
        if (done === PART) stopping.abort();
      },
    },
    0,
  ).round(stopping.signal);
  await expect(stopped).rejects.toThrow("aborted");
  expect(statSync(join(directory, "fetching", fileName)).size).toBe(PART);
  publishing.server.fault = undefined;
  expect((await patient()).did).toBe("took");
});

it("an address at which nothing listens is told as that", async () => {
  // Refuses connections at once: nothing may listen there without being root's.
  const { impatient } = follower({}, "http://127.0.0.1:1/published");
  const failure = await failureOf(impatient());
  expect([failure.kind, failure.message]).toEqual([
    "address",
    expect.stringContaining("cannot be reached (ECONNREFUSED)"),
  ]);
});
