/**
 * When a published snapshot is invalid in any way, the previous one is still served, and the next valid one is fetched.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { readPointer } from "../../src/registry/directory.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { archiveOf, makeTestKeys, publish } from "../kit/published.ts";
import { type Fault, startPublisher } from "../kit/publisher.ts";
import { variants } from "../kit/thorough.ts";
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

/** Publishes during a fault, checks that the node is unaffected, and that it serves the newest snapshot afterwards. */
async function expectUnaffectedBy(fault: Fault): Promise<void> {
  const { server } = publishing;
  const before = publishing.newest();
  const warnings = node.warnings().length;
  server.fault = fault;
  await publishing.publishNext();
  await expectStaleSnapshot(before, warnings);
  server.fault = undefined;
  await expectWellAgain();
}

/** The node logs one failure, retries, and still serves its snapshot. */
async function expectStaleSnapshot(served: string, warningsBefore: number): Promise<void> {
  const { server } = publishing;
  await until("health reports it", async () => (await node.kvk()) === "degraded");
  const seen = server.seen.length;
  await until("it is retried", () => server.seen.length >= seen + 2);
  expect(await node.look(served)).toBe(200);
  expect(await node.health()).toMatchObject({ status: "degraded", services: { kvk: "degraded" } });
  await until("the log has the warning", () => node.warnings().length > warningsBefore);
  expect(node.warnings().length).toBe(warningsBefore + 1);
}

async function expectWellAgain(): Promise<void> {
  await node.served();
  await until("health is good again", async () => (await node.kvk()) === "up");
  await tidy(node.directory);
}

describe("the old snapshot is still served, and the new one follows,", () => {
  it.each(
    variants<[string, Fault]>(
      [
        ["an archive with another checksum", { kind: "damaged" }],
        ["a connection that is cut", { kind: "cut", afterBytes: 1_000 }],
        ["404 for the manifest", { kind: "status", of: "manifest", status: 404 }],
        ["500 for the manifest", { kind: "status", of: "manifest", status: 500 }],
        [
          "a redirect to another scheme",
          { kind: "status", of: "archive", status: 302, location: "file:///etc/passwd" },
        ],
        [
          "a redirect without end",
          { kind: "status", of: "manifest", status: 307, location: "manifest.json" },
        ],
        ["a page in the manifest's place", { kind: "manifest", text: "<title>Sign in</title>\n<p>" }],
        ["404 for the archive", { kind: "status", of: "archive", status: 404 }],
        ["500 for the archive", { kind: "status", of: "archive", status: 500 }],
        ["an archive that ends early", { kind: "short", bytes: 1_000 }],
      ],
      { ordinary: 1 },
    ),
  )("after %s", async (_what, fault) => {
    await expectUnaffectedBy(fault);
  });

  it("after a manifest signed by an untrusted key", async () => {
    const { target, dataDir, server } = publishing;
    const before = publishing.newest();
    const warnings = node.warnings().length;
    const good = readFileSync(join(target, "manifest.json"));
    await publish(registryDirectory(dataDir), target, makeTestKeys());
    await expectStaleSnapshot(before, warnings);
    writeFileSync(join(target, "manifest.json"), good);
    server.fault = undefined;
    await publishing.publishNext();
    await expectWellAgain();
  });

  it("after an older manifest was restored", async () => {
    const { target } = publishing;
    const old = readFileSync(join(target, "manifest.json"));
    await publishing.publishNext();
    await expectWellAgain();
    const newest = readFileSync(join(target, "manifest.json"));
    const warnings = node.warnings().length;
    writeFileSync(join(target, "manifest.json"), old);
    await expectStaleSnapshot(publishing.newest(), warnings);
    expect(node.warnings().at(-1)?.reason).toContain("older");
    writeFileSync(join(target, "manifest.json"), newest);
    await expectWellAgain();
  });
});

/** The current snapshot of the publishing node, modified by SQL. */
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

/** A view on which our own query never ends. */
const ENDLESS = `ALTER TABLE company RENAME TO hidden;
  CREATE VIEW company AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT h.* FROM hidden h, n`;
const TRIGGER = "CREATE TRIGGER more AFTER INSERT ON company BEGIN DELETE FROM company; END";

const signed = async (plain: Buffer, count = companies()) =>
  publishing.publishArchive(await archiveOf(plain, count));

/** An archive of one tar with a valid signature. */
function signedTar(tar: Buffer, packed = zstdCompressSync(tar)): unknown {
  return publishing.publishArchive({ packed, unpackedBytes: tar.length });
}

describe("a signed archive without a valid snapshot is not served, and removed:", () => {
  it.each<[string, () => Promise<unknown>]>(
    variants(
      [
        ["a view", () => signed(changedSnapshot(ENDLESS))],
        ["a file that is not SQLite", () => signed(Buffer.from("no database ".repeat(1_000)))],
        ["a trigger", () => signed(changedSnapshot(TRIGGER))],
        ["another number of companies", () => signed(changedSnapshot("CREATE TABLE more (a)"), 5)],
        ["a bomb", async () => signedTar(Buffer.alloc(8_192), zstdCompressSync(Buffer.alloc(256 << 20)))],
      ],
      { ordinary: 1 },
    ),
  )("%s", async (_what, publishIt) => {
    const before = publishing.newest();
    const warnings = node.warnings().length;
    await publishIt();
    await expectStaleSnapshot(before, warnings);
    await publishing.publishNext();
    await expectWellAgain();
  });
});

it("a registry behind a redirect to another server is followed", async () => {
  const { server } = publishing;
  const other = await startPublisher(publishing.target);
  for (const of of ["manifest", "archive"] as const) {
    const name = of === "manifest" ? "manifest.json" : (await publishing.publishNext()).archive.name;
    server.fault = { kind: "status", of, status: 302, location: `${other.url}/${name}?sig=presigned` };
    await until("it is redirected", () => other.seen.some((seen) => seen.name === name));
    await expectWellAgain();
  }
  server.fault = undefined;
});
