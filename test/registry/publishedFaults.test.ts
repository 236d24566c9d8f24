/** Whatever comes in the place of a published snapshot, the one before is served on, and the next good one is taken. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { readPointer } from "../../src/snapshot/directory.ts";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { makeTestKeys, publish } from "../kit/published.ts";
import type { Fault } from "../kit/publisher.ts";
import { until } from "../kit/until.ts";
import { temporaryFolder } from "../kit/world.ts";
import { makePublishing, type Node, type Publishing, startNode, tidy } from "./followed.ts";

let publishing: Publishing;
let node: Node;
beforeAll(async () => {
  publishing = await makePublishing();
  await publishing.publishNext();
  node = await startNode(publishing);
  await node.served();
});

/** Publishes while something is wrong, sees the node go on as before, and then, when all is well, serve the newest. */
async function expectGoesOnThrough(fault: Fault): Promise<void> {
  const { server } = publishing;
  const before = publishing.newest();
  const warnings = node.warnings().length;
  server.fault = fault;
  await publishing.publishNext();
  await expectBehind(before, warnings);
  server.fault = undefined;
  await expectWellAgain();
}

/** The node tells of one failure, is tried more than once, and serves what it has. */
async function expectBehind(served: string, warningsBefore: number): Promise<void> {
  const { server } = publishing;
  await until("health says so", async () => (await node.kvk()) === "degraded");
  const seen = server.seen.length;
  await until("it is tried again", () => server.seen.length >= seen + 2);
  expect(await node.look(served)).toBe(200);
  expect(await node.health()).toMatchObject({ status: "degraded", services: { kvk: "degraded" } });
  await until("the log tells of it", () => node.warnings().length > warningsBefore);
  expect(node.warnings().length).toBe(warningsBefore + 1);
}

async function expectWellAgain(): Promise<void> {
  await node.served();
  await until("health is well again", async () => (await node.kvk()) === "up");
  await tidy(node.directory);
}

describe("the old snapshot goes on being served, and the new one comes when all is well,", () => {
  it.each<[string, Fault]>([
    ["404 for the manifest", { kind: "status", of: "manifest", status: 404 }],
    ["500 for the manifest", { kind: "status", of: "manifest", status: 500 }],
    ["a redirect", { kind: "status", of: "manifest", status: 302 }],
    ["a page in the manifest's place", { kind: "manifest", text: "<title>Sign in</title>\n<p>" }],
    ["404 for the file", { kind: "status", of: "snapshot", status: 404 }],
    ["500 for the file", { kind: "status", of: "snapshot", status: 500 }],
    ["a file with another checksum", { kind: "damaged" }],
  ])("after %s", async (_what, fault) => {
    await expectGoesOnThrough(fault);
  });

  it("after a manifest of a key that nobody trusts", async () => {
    const { target, dataDir, server } = publishing;
    const before = publishing.newest();
    const warnings = node.warnings().length;
    const good = readFileSync(join(target, "manifest.jsonl"));
    await publish(registryDirectory(dataDir), target, makeTestKeys());
    await expectBehind(before, warnings);
    writeFileSync(join(target, "manifest.jsonl"), good);
    server.fault = undefined;
    await publishing.publishNext();
    await expectWellAgain();
  });

  it("after an older manifest was put back", async () => {
    const { target } = publishing;
    const old = readFileSync(join(target, "manifest.jsonl"));
    await publishing.publishNext();
    await expectWellAgain();
    const newest = readFileSync(join(target, "manifest.jsonl"));
    const warnings = node.warnings().length;
    writeFileSync(join(target, "manifest.jsonl"), old);
    await expectBehind(publishing.newest(), warnings);
    expect(node.warnings().at(-1)?.reason).toContain("older");
    writeFileSync(join(target, "manifest.jsonl"), newest);
    await expectWellAgain();
  });
});

/** The bytes of what is current in the publishing node, changed with SQL. */
function changedSnapshot(sql: string): Buffer {
  const directory = registryDirectory(publishing.dataDir);
  const path = join(temporaryFolder(), "changed.sqlite");
  writeFileSync(path, readFileSync(join(directory, readPointer(directory)?.current.file ?? "")));
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return readFileSync(path);
}

const companies = () => readPointer(registryDirectory(publishing.dataDir))?.current.companies ?? 0;

/** A view that our own query would run without end. */
const ENDLESS = `ALTER TABLE company RENAME TO hidden;
  CREATE VIEW company AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT h.* FROM hidden h, n`;
const TRIGGER = "CREATE TRIGGER more AFTER INSERT ON company BEGIN DELETE FROM company; END";

describe("what is rightly signed and no snapshot is not served, and cleared:", () => {
  const zeros = (bytes: number) => zstdCompressSync(Buffer.alloc(bytes));
  it.each<[string, () => unknown]>([
    ["a file that is not SQLite", () => publishing.publishBytes(Buffer.from("no database ".repeat(1_000)))],
    ["a view", () => publishing.publishBytes(changedSnapshot(ENDLESS), { companies: companies() })],
    ["a trigger", () => publishing.publishBytes(changedSnapshot(TRIGGER), { companies: companies() })],
    [
      "another number of companies",
      () => publishing.publishBytes(changedSnapshot("CREATE TABLE more (a)"), { companies: 5 }),
    ],
    ["a bomb", () => publishing.publishBytes(Buffer.alloc(8_192), { packed: zeros(256 << 20) })],
    [
      "a zstd that is cut off",
      () => {
        const plain = changedSnapshot("CREATE TABLE more (a)");
        const packed = zstdCompressSync(plain);
        publishing.publishBytes(plain, {
          packed: packed.subarray(0, packed.length - 100),
          companies: companies(),
        });
      },
    ],
    ["no zstd", () => publishing.publishBytes(Buffer.alloc(8_192), { packed: Buffer.alloc(8_192, 7) })],
  ])("%s", async (_what, publishIt) => {
    const before = publishing.newest();
    const warnings = node.warnings().length;
    publishIt();
    await expectBehind(before, warnings);
    await publishing.publishNext();
    await expectWellAgain();
  });
});
