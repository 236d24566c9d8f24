import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { namedLayers, readPointer } from "../../src/registry/directory.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { namesPathOf } from "../../src/registry/names/storedNames.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import type { Manifest } from "../../src/registry/published/manifest.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { COMPANIES, kvkNumber } from "../kit/companies.ts";
import { type Archive, makeTestKeys, publish, publishArchive, type TestKeys } from "../kit/published.ts";
import { type Publisher, startPublisher } from "../kit/publisher.ts";
import { NAMES } from "../kit/registry.ts";
import { type Service, startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

/** After this time without a newly signed manifest a node warns. */
export const WARN_AFTER_SECONDS = 86_400;

/** A segment of one company is too small to be cut off in transit, so each publication is a base. */
const ALWAYS_WHOLE = 0;

export interface Publishing {
  readonly keys: TestKeys;
  /** The published folder. */
  readonly target: string;
  readonly server: Publisher;
  /** The data folder of the publishing node. */
  readonly dataDir: string;
  /** Imports one more company, named `Uitgave N B.V.`, and publishes. */
  publishNext(): Promise<Manifest>;
  /** Publishes the same snapshot again, at the given time. */
  signAnew(nowMs: number): Promise<void>;
  /** Publishes a custom archive with a valid signature. */
  publishArchive(archive: Archive & { readonly sha256?: string }): Manifest;
  /** The company added by the last publication. */
  newest(): string;
}

/** A node that publishes, and a server for its published folder. */
export async function makePublishing(): Promise<Publishing> {
  const keys = makeTestKeys();
  const dataDir = temporaryFolder();
  const target = join(temporaryFolder(), "published");
  mkdirSync(target);
  const directory = registryDirectory(dataDir);
  const server = await startPublisher(target);
  let editions = 0;
  let serial = 0;
  return {
    keys,
    target,
    server,
    dataDir,
    async publishNext() {
      editions += 1;
      const facts = editionOf(editions);
      await importFacts(directory, editions === 1 ? [...COMPANIES, facts] : [facts], {
        replace: false,
        maxDeltaShare: ALWAYS_WHOLE,
      });
      // The previous file may be a test's invalid snapshot.
      const { manifest } = await publish(directory, target, keys, undefined, { allowShrink: true });
      serial = manifest.serial;
      return manifest;
    },
    async signAnew(nowMs) {
      await publish(directory, target, keys, () => nowMs);
    },
    publishArchive(archive) {
      serial = Math.max(serial + 1, Date.now());
      return publishArchive(target, archive, keys, serial);
    },
    newest: () => editionOf(editions).facts.kvkNumber,
  };
}

function editionOf(edition: number): SourcedFacts {
  const number = kvkNumber(String(58_000_000 + edition));
  const facts = { kvkNumber: number, name: `Uitgave ${edition} B.V.`, isActive: true };
  return { origin: "import:fabel", asOf: "2026-02-02T00:00:00.000Z", facts };
}

export interface Node {
  readonly world: World;
  readonly directory: string;
  readonly key: string;
  readonly service: Service;
  /** The status of a lookup. */
  look(number: string): Promise<number>;
  health(): Promise<unknown>;
  /** The registry's state in health. */
  kvk(): Promise<string>;
  /** Waits until the newest publication is served. */
  served(): Promise<void>;
  warnings(): readonly Record<string, unknown>[];
}

/** A node without its own registry, which follows. */
export async function startNode(
  publishing: Publishing,
  url = publishing.server.url,
  more: Readonly<Record<string, string>> = {},
): Promise<Node> {
  const world = await makeWorld({
    companies: [],
    environment: {
      REGISTRY_URL: url,
      REGISTRY_PUBLIC_KEY: publishing.keys.publicText,
      REGISTRY_POLL_SECONDS: "1",
      REGISTRY_WARN_AFTER: String(WARN_AFTER_SECONDS),
      ...more,
    },
  });
  const { key } = await world.account("plenty");
  return nodeOf(publishing, world, key, await startService(world));
}

/** Another process of the same world. */
export function nodeOf(publishing: Publishing, world: World, key: string, service: Service): Node {
  const look = async (number: string) => (await ask(service, { path: `/v1/lookup/${number}`, key })).status;
  const health = async () => jsonOf(await ask(service, { path: "/v1/health" }));
  return {
    world,
    directory: registryDirectory(world.dataDir),
    key,
    service,
    look,
    health,
    async kvk() {
      const { services } = (await health()) as { services: { kvk: string } };
      return services.kvk;
    },
    served: async () => {
      const number = publishing.newest();
      await until("the newest publication is served", async () => (await look(number)) === 200);
    },
    warnings: () => service.log().filter(({ msg }) => msg === "the published registry cannot be fetched"),
  };
}

/** Waits until fetched files are cleaned up, except for the current and the previous snapshot. */
export async function tidy(directory: string): Promise<void> {
  await until(`nothing is left in ${directory}`, () => {
    const pointer = readPointer(directory);
    const files = namedLayers(pointer).flatMap(({ file }) => [
      file,
      namesPathOf(file),
      file.replace(".sqlite", ".verified"),
      file.replace(".sqlite", `.verified-${NAMES}`),
    ]);
    const expected = ["current.json", "lock.sqlite", "published.json", ...new Set(files)].sort();
    return isDeepStrictEqual(readdirSync(directory).sort(), expected);
  });
}
