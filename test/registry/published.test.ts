/** A published snapshot reaches the nodes that follow it, through every failure. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { Manifest } from "../../src/registry/published/manifest.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { makeTestKeys } from "../kit/published.ts";
import { downloads } from "../kit/publisher.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughDescribe, thoroughIt, variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import {
  makePublishing,
  type Node,
  nodeOf,
  type Publishing,
  startNode,
  tidy,
  WARN_AFTER_SECONDS,
} from "./followed.ts";

let publishing: Publishing;
let node: Node;
beforeAll(async () => {
  publishing = await makePublishing();
  node = await startNode(publishing);
});

it("a service without data starts at once, answers 503, reports it, and soon serves the published snapshot", async () => {
  await until("the log says so", () => node.service.program.err().includes("fetched from REGISTRY_URL"));
  expect(await node.look(BAKERY)).toBe(503);
  await until("the manifest was requested without success", () => publishing.server.seen.length > 1);
  expect(await node.health()).toMatchObject({ status: "down", services: { kvk: "down" } });
  await publishing.publishNext();
  await node.served();
  expect(await node.health()).toMatchObject({ services: { kvk: "up" } });
  expect(await node.look(UNKNOWN)).toBe(404);
  await tidy(node.directory);
});

it("a node requests the manifest with its ETag, and an archive once", async () => {
  const { server } = publishing;
  await until("the server reported that nothing changed", () => server.seen.at(-1)?.status === 304);
  expect(downloads(server)).toHaveLength(1);
});

it("a publisher without new signatures is reported by health and once in the log, until it signs again", async () => {
  const { server } = publishing;
  const logged = () =>
    node.service
      .log()
      .map(({ msg }) => String(msg))
      .filter((msg) =>
        /^the (signature of the published registry|published registry has a recent signature)/.test(msg),
      );
  const fetched = downloads(server).length;
  await publishing.signAnew(Date.now() - WARN_AFTER_SECONDS * 1_000 - 1);
  await until("health reports it", async () => (await node.kvk()) === "degraded");
  await until("the log says so", () => logged().length === 1);
  const requestsBefore = server.seen.length;
  await until("the manifest was requested again", () => server.seen.length > requestsBefore + 1);
  expect(logged()).toEqual([expect.stringContaining("is old")]);
  expect(await node.look(BAKERY)).toBe(200);
  await publishing.signAnew(Date.now());
  await until("health is good again", async () => (await node.kvk()) === "up");
  await until("the log says so", () => logged().length === 2);
  expect(logged()[1]).toContain("again");
  expect(downloads(server)).toHaveLength(fetched);
});

/** The size of a partial download. */
function bytesOf(directory: string, { archive }: Manifest): number {
  return statSync(join(directory, "building", archive.name), { throwIfNoEntry: false })?.size ?? 0;
}

const PART = 1_000;

describe("a download that is cut", () => {
  thoroughIt("restarts, and is replaced by a newer publication", async () => {
    const { server, target } = publishing;
    server.fault = { kind: "hang", afterBytes: PART };
    const first = await publishing.publishNext();
    await until("a part of the archive is there", () => bytesOf(node.directory, first) === PART);
    server.fault = undefined;
    server.cut();
    await node.served();
    const attempts = downloads(server).filter(({ name }) => name === first.archive.name);
    expect(attempts.map(({ status }) => status)).toEqual([200, 200]);

    server.fault = { kind: "hang", afterBytes: PART };
    const second = await publishing.publishNext();
    await until("a part of the archive is there", () => bytesOf(node.directory, second) === PART);
    const third = await publishing.publishNext();
    expect(readdirSync(target).sort()).toEqual(
      ["manifest.json", second.archive.name, third.archive.name].sort(),
    );
    server.fault = undefined;
    server.cut();
    await node.served();
    await tidy(node.directory);
  });

  it.each(variants(["SIGKILL", "SIGTERM"] as const, { ordinary: 1 }))(
    "by %s restarts after the next start",
    async (end) => {
      const alone = await makePublishing();
      const { server } = alone;
      await alone.publishNext();
      const first = await startNode(alone);
      await first.served();
      const before = alone.newest();
      server.fault = { kind: "hang", afterBytes: PART };
      const manifest = await alone.publishNext();
      await until("a part of the archive is there", () => bytesOf(first.directory, manifest) === PART);
      expect(await first.look(before)).toBe(200);
      expect(await first.service.end(end)).toBe(end === "SIGTERM" ? 0 : null);
      server.fault = undefined;
      const again = nodeOf(alone, first.world, first.key, await startService(first.world));
      await again.served();
      await tidy(first.directory);
      await again.service.end("SIGTERM");
    },
  );
});

thoroughIt("credentials are sent in headers, and appear in no log", async () => {
  const secret = "tr0ub4dor-and-3";
  const { server } = publishing;
  server.fault = undefined;
  const url = `${server.url}?sig=${secret}`;
  const more = { REGISTRY_HEADERS: `authorization=Bearer%20${secret}`, LOG_LEVEL: "debug" };
  const other = await startNode(publishing, url, more);
  await other.served();
  const seen = server.seen.filter(({ authorization }) => authorization === `Bearer ${secret}`);
  expect(new Set(seen.map(({ name }) => name)).size).toBe(2);
  expect(seen.every((request) => request.url.endsWith(`?sig=${secret}`))).toBe(true);
  server.fault = { kind: "status", of: "manifest", status: 403 };
  await until("the failure is logged", () => other.warnings().length > 0);
  server.fault = undefined;
  await other.service.end("SIGTERM");
  expect(JSON.stringify(other.service.log()) + other.service.program.err()).not.toContain(secret);
});

thoroughDescribe("several", () => {
  it("nodes that follow one folder, by HTTP and as files, serve the same", async () => {
    const asFiles = await startNode(publishing, pathToFileURL(publishing.target).href);
    await asFiles.served();
    await node.served();
    for (const path of [
      `/v1/lookup/${BAKERY}?enrich=true`,
      "/v1/search?city=Verzinstad",
      "/v1/autocomplete?q=ui",
    ]) {
      const [one, two] = await Promise.all(
        [node, asFiles].map(({ service, key }) => ask(service, { path, key })),
      );
      expect([one?.status, one?.text]).toEqual([200, two?.text]);
    }
    await publishing.publishNext();
    await Promise.all([node.served(), asFiles.served()]);
    await asFiles.service.end("SIGTERM");
  });

  it("processes on one data folder fetch an archive once, and all serve it", async () => {
    const alone = await makePublishing();
    const DATABASE_URL = await (await sharedPostgres()).database("two_processes");
    const first = await startNode(alone, alone.server.url, { DATABASE_URL });
    const second = nodeOf(alone, first.world, first.key, await startService(first.world));
    for (const edition of [1, 2, 3]) {
      await alone.publishNext();
      await Promise.all([first.served(), second.served()]);
      expect(downloads(alone.server)).toHaveLength(edition);
    }
    expect(
      [...first.warnings(), ...second.warnings()].filter(({ reason }) => !String(reason).includes("404")),
    ).toEqual([]);
    await tidy(first.directory);
  });
});

describe("from the command line", () => {
  it("keys are created, and a snapshot is published, fetched by another node and deliberately rolled back", async () => {
    const keyFile = join(temporaryFolder(), "registry.key");
    const target = join(temporaryFolder(), "published");
    const { dataDir } = publishing;
    const publisher = { ...node.world.environment, DATA_DIR: dataDir, REGISTRY_PRIVATE_KEY_FILE: keyFile };
    const made = await opzoek(["registry", "keys"], publisher);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^ed25519:[A-Za-z0-9_-]{43}\n$/)]);
    expect((await opzoek(["registry", "keys"], publisher)).out).toBe(made.out);

    const published = await opzoek(["registry", "publish", target], publisher);
    expect([published.code, published.out]).toEqual([
      0,
      expect.stringMatching(/^Published registry-[0-9]+\.tar\.zst: /),
    ]);
    expect((await opzoek(["registry", "publish", target], publisher)).out).toMatch(/^Signed again at /);

    const follower = {
      ...node.world.environment,
      DATA_DIR: temporaryFolder(),
      REGISTRY_URL: pathToFileURL(target).href,
      REGISTRY_PUBLIC_KEY: `${makeTestKeys().publicText}, ${made.out.trim()}`,
    };
    const fetched = await opzoek(["registry", "fetch"], follower);
    expect([fetched.code, fetched.out]).toEqual([
      0,
      expect.stringMatching(/^snapshot-1\.sqlite is now current: /),
    ]);
    const again = await opzoek(["registry", "fetch", "--json"], follower);
    expect([again.code, again.out]).toEqual([0, '{"did":"nothing"}\n']);
    expect((await opzoek(["lookup", BAKERY], follower)).code).toBe(0);

    const untrusting = { ...follower, REGISTRY_PUBLIC_KEY: makeTestKeys().publicText };
    const refused = await opzoek(["registry", "fetch"], untrusting);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("REGISTRY_PUBLIC_KEY");
    expect(refused.err).not.toMatch(/^\s+at /m);
  });

  it.each([
    [["registry", "keys"], {}, "REGISTRY_PRIVATE_KEY_FILE"],
    [["registry", "publish", "somewhere"], {}, "REGISTRY_PRIVATE_KEY_FILE"],
    [["registry", "fetch"], { REGISTRY_URL: "" }, "REGISTRY_URL"],
    [["serve"], { REGISTRY_PUBLIC_KEY: "" }, "REGISTRY_PUBLIC_KEY"],
  ])(
    "%s without its required setting is a usage error that names the setting",
    async (words, changed, name) => {
      const { code, err } = await opzoek(words, { ...node.world.environment, ...changed });
      expect([code, err]).toEqual([2, expect.stringContaining(name)]);
    },
  );
});
