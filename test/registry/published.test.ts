/** A published snapshot reaches the nodes that follow it, whatever happens on its way. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { opzoek } from "../kit/opzoek.ts";
import { makeTestKeys } from "../kit/published.ts";
import { downloads } from "../kit/publisher.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
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

it("a service that has nothing starts at once, answers 503, says so, and serves what is published soon after", async () => {
  await until("it says so", () => node.service.program.err().includes("fetched from REGISTRY_URL"));
  expect(await node.look(BAKERY)).toBe(503);
  await until("the manifest was asked for in vain", () => publishing.server.seen.length > 1);
  expect(await node.health()).toMatchObject({ status: "down", services: { kvk: "down" } });
  await publishing.publishNext();
  await node.served();
  expect(await node.health()).toMatchObject({ services: { kvk: "up" } });
  expect(await node.look(UNKNOWN)).toBe(404);
  await tidy(node.directory);
});

it("asks for the manifest with its ETag, and for a file once", async () => {
  const { server } = publishing;
  await until("the server said that nothing changed", () => server.seen.at(-1)?.status === 304);
  expect(downloads(server)).toHaveLength(1);
});

it("a publisher that signs nothing anew is told by health and, once, in the log, until it gives a sign of life", async () => {
  const { server } = publishing;
  const told = () =>
    node.service
      .log()
      .map(({ msg }) => String(msg))
      .filter((msg) => msg.startsWith("the published registry was signed"));
  const fetched = downloads(server).length;
  await publishing.signAnew(Date.now() - WARN_AFTER_SECONDS * 1_000 - 1);
  await until("health says it", async () => (await node.kvk()) === "degraded");
  await until("the log says so", () => told().length === 1);
  const asked = server.seen.length;
  await until("the manifest was looked at again", () => server.seen.length > asked + 1);
  expect(told()).toEqual([expect.stringContaining("long ago")]);
  expect(await node.look(BAKERY)).toBe(200);
  await publishing.signAnew(Date.now());
  await until("health is well again", async () => (await node.kvk()) === "up");
  await until("the log says so", () => told().length === 2);
  expect(told()[1]).toContain("lately again");
  expect(downloads(server)).toHaveLength(fetched);
});

/** How much is there of a download. */
function bytesOf(directory: string, name: string): number {
  return statSync(join(directory, "fetching", name), { throwIfNoEntry: false })?.size ?? 0;
}

const PART = 1_000;

describe("a download that is cut", () => {
  it("goes on where it was cut, as often as it is", async () => {
    const { server } = publishing;
    server.fault = { kind: "hang", afterBytes: PART };
    const { file } = await publishing.publishNext();
    for (const times of [1, 2]) {
      await until("a part of it is there", () => bytesOf(node.directory, file.name) === times * PART);
      if (times === 2) server.fault = undefined;
      server.cut();
    }
    await node.served();
    const ranges = downloads(server)
      .filter(({ name }) => name === file.name)
      .map(({ range, status }) => [range, status]);
    expect(ranges).toEqual([
      [undefined, 200],
      [`bytes=${PART}-`, 206],
      [`bytes=${2 * PART}-`, 206],
    ]);
  });

  it("begins anew where the server knows no ranges", async () => {
    const { server } = publishing;
    server.hasRanges = false;
    server.fault = { kind: "hang", afterBytes: PART };
    const { file } = await publishing.publishNext();
    await until("a part of it is there", () => bytesOf(node.directory, file.name) === PART);
    server.fault = undefined;
    server.cut();
    await node.served();
    server.hasRanges = true;
    const seen = downloads(server).filter(({ name }) => name === file.name);
    expect(seen.map(({ range, status }) => [range, status])).toEqual([
      [undefined, 200],
      [`bytes=${PART}-`, 200],
    ]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)("by %s goes on after the next start", async (end) => {
    const alone = await makePublishing();
    const { server } = alone;
    await alone.publishNext();
    const first = await startNode(alone);
    await first.served();
    const before = alone.newest();
    server.fault = { kind: "hang", afterBytes: PART };
    const { file } = await alone.publishNext();
    await until("a part of it is there", () => bytesOf(first.directory, file.name) === PART);
    expect(await first.look(before)).toBe(200);
    expect(await first.service.end(end)).toBe(end === "SIGTERM" ? 0 : null);
    expect(bytesOf(first.directory, file.name)).toBe(PART);
    server.fault = undefined;
    const again = nodeOf(alone, first.world, first.key, await startService(first.world));
    await again.served();
    const seen = downloads(server).filter(({ name }) => name === file.name);
    expect(seen.map(({ range }) => range)).toEqual([undefined, `bytes=${PART}-`]);
    await tidy(first.directory);
    await again.service.end("SIGTERM");
  });
});

describe("several", () => {
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

  it("processes on one data folder fetch a file once, and all serve it", async () => {
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
  it("keys are made, a snapshot is published, fetched by another node and taken back on purpose", async () => {
    const keyFile = join(temporaryFolder(), "registry.key");
    const target = join(temporaryFolder(), "published");
    const { dataDir } = publishing;
    const publisher = { ...node.world.environment, DATA_DIR: dataDir, REGISTRY_PRIVATE_KEY_FILE: keyFile };
    const made = await opzoek(["registry", "keys"], publisher);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^ed25519:[A-Za-z0-9_-]{43}\n$/)]);
    expect((await opzoek(["registry", "keys"], publisher)).out).toBe(made.out);

    const published = await opzoek(["registry", "publish", target], publisher);
    expect([published.code, published.out]).toEqual([0, expect.stringMatching(/^Published snapshot-\w+/)]);
    expect((await opzoek(["registry", "publish", target], publisher)).out).toMatch(/^Nothing to do/);

    const follower = {
      ...node.world.environment,
      DATA_DIR: temporaryFolder(),
      REGISTRY_URL: pathToFileURL(target).href,
      REGISTRY_PUBLIC_KEY: `${makeTestKeys().publicText}, ${made.out.trim()}`,
    };
    const fetched = await opzoek(["registry", "fetch"], follower);
    expect([fetched.code, fetched.out]).toEqual([
      0,
      expect.stringMatching(/^snapshot-1\.sqlite is current now: /),
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
  ])("%s without the setting that it needs is wrong use, and names it", async (words, changed, name) => {
    const { code, err } = await opzoek(words, { ...node.world.environment, ...changed });
    expect([code, err]).toEqual([2, expect.stringContaining(name)]);
  });
});
