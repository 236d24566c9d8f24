/** A slow or unreachable publisher delays a fetch for a limited time. */
import { readdirSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import type { FetchOptions } from "../../src/registry/published/fetchPublished.ts";
import { PublishedRegistry } from "../../src/registry/published/publishedRegistry.ts";
import {
  FETCH_TIMEOUTS,
  type FetchTimeouts,
  openPublishedSource,
} from "../../src/registry/published/source.ts";
import { afterFile } from "../kit/afterFile.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import { makePublishing, type Publishing, tidy } from "./followed.ts";

const PART = 1_000;
const { signal } = new AbortController();

let publishing: Publishing;
beforeAll(async () => {
  publishing = await makePublishing();
  await publishing.publishNext();
});

/** One fetch in `directory` with these timeouts. */
function round(
  directory: string,
  patience: Partial<FetchTimeouts> = {},
  more: Partial<FetchOptions> = {},
  stopping: AbortSignal = signal,
) {
  const used = { ...FETCH_TIMEOUTS, ...patience };
  const source = openPublishedSource(publishing.server.url, {}, used);
  afterFile(() => source.close());
  const publicKeys = [publishing.keys.publicKey];
  const options = { directory, source, publicKeys, maxBytes: 2 ** 30, patience: used, ...more };
  return new PublishedRegistry(options).round(stopping);
}

it.each<[string, Partial<FetchTimeouts>]>([
  ["stalls", { stallMs: 100 }],
  ["arrives too slowly as a whole", { downloadMs: 300 }],
])("an archive that %s is abandoned, and fetched by a later attempt", async (_how, patience) => {
  const directory = registryDirectory(temporaryFolder());
  const { server } = publishing;
  server.fault = { kind: "hang", afterBytes: PART };
  const requests = server.seen.length;
  // On a stalled machine even the manifest may be too late.
  await until("an archive was requested", async () => {
    await expect(round(directory, patience)).rejects.toMatchObject({ kind: "slow" });
    return server.seen.slice(requests).some(({ name }) => name.endsWith(".zst"));
  });
  expect(readdirSync(directory)).not.toContain("building");
  server.fault = undefined;
  expect((await round(directory)).did).toBe("took");
  openCurrentSnapshot(directory)?.close();
  await tidy(directory);
});

it("a stopped fetch ends at once, removes partial files, and lets others work in the folder", async () => {
  const directory = registryDirectory(temporaryFolder());
  const stopping = new AbortController();
  publishing.server.fault = { kind: "hang", afterBytes: PART };
  const onProgress = ({ done }: { done: number }) => {
    if (done === PART) stopping.abort();
  };
  await expect(round(directory, {}, { onProgress }, stopping.signal)).rejects.toThrow("aborted");
  expect(readdirSync(directory)).not.toContain("building");
  publishing.server.fault = undefined;
  expect((await round(directory)).did).toBe("took");
});

it("an address without a server is reported as such", async () => {
  // Refuses connections at once: only root may listen there.
  const source = openPublishedSource("http://127.0.0.1:1/published");
  afterFile(() => source.close());
  await expect(round(registryDirectory(temporaryFolder()), {}, { source })).rejects.toMatchObject({
    kind: "source",
    message: expect.stringContaining("(ECONNREFUSED)"),
  });
});
