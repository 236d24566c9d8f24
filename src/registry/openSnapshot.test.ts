import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { companyFacts, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { DamagedSnapshot } from "./errors.ts";
import { importFacts } from "./importFacts.ts";
import type { SnapshotInfo } from "./info.ts";
import { LayerFile } from "./layerFile.ts";
import { openLayer, openSnapshot, verifySnapshot } from "./openSnapshot.ts";

const origin = mkdtempSync(join(tmpdir(), "opzoek-"));
let info: SnapshotInfo;
beforeAll(async () => {
  const facts = Array.from({ length: 50 }, (_, index) => sourcedFacts(index));
  const { snapshot } = await importFacts(origin, facts, { replace: false });
  if (snapshot === undefined) throw new Error("nothing was built");
  info = snapshot;
});
afterAll(() => rmSync(origin, { recursive: true }));

/** A copy of the snapshot that may be damaged. */
function copy(): string {
  const path = join(temporaryFolder(), info.file);
  copyFileSync(join(origin, info.file), path);
  return path;
}

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const content = readFileSync(path);
  content.set(bytes, offset);
  writeFileSync(path, content);
}

describe("openSnapshot", () => {
  it("opens a valid file read-only", () => {
    const path = copy();
    const before = readFileSync(path);
    const snapshot = openSnapshot(dirname(path), info);
    expect(snapshot.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
    snapshot.close();
    snapshot.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("needs no sorting and no temporary file for a request", () => {
    const path = join(origin, info.file);
    const db = new DatabaseSync(path, { readOnly: true });
    const prepare = db.prepare.bind(db);
    const asked: string[] = [];
    db.prepare = (sql, ...options) => {
      asked.push(sql);
      return prepare(sql, ...options);
    };
    const snapshot = new LayerFile(db, { path, info });
    expect(asked.length).toBeGreaterThan(5);
    for (const sql of asked) {
      const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail);
      expect(plan.join("; "), sql).not.toContain("TEMP B-TREE");
    }
    const inMemory = 2;
    expect(prepare("PRAGMA temp_store").get()).toEqual({ temp_store: inMemory });
    snapshot.close();
  });

  it.each<[string, (path: string) => void, string]>([
    ["is not there", (path) => rmSync(path), "it cannot be read"],
    ["was truncated", (path) => truncateSync(path, 8_192), "it has 8192 bytes instead of"],
    [
      "is not a SQLite file",
      (path) => overwrite(path, 0, Buffer.from("something else")),
      "it is not a SQLite file",
    ],
    [
      "belongs to another program",
      (path) => overwrite(path, 68, Buffer.alloc(4)),
      "it is not a registry snapshot",
    ],
    ["has another layout", (path) => overwrite(path, 60, Buffer.from([0, 0, 0, 99])), "it has layout 99"],
    ["was not finished", unfinish, "it was not finished"],
  ])("rejects a file that %s, with advice", (_what, damage, reason) => {
    const path = copy();
    damage(path);
    const open = () => openLayer(path, info);
    expect(open).toThrow(DamagedSnapshot);
    expect(open).toThrow(reason);
    expect(open).toThrow('"opzoek registry rollback", or import your data again with --replace');
  });
});

/** Removes the mark of completeness without changing the size. */
function unfinish(path: string): void {
  const db = new DatabaseSync(path);
  db.exec("UPDATE meta SET value = 0 WHERE key = 'complete'");
  db.close();
}

describe("verifySnapshot", () => {
  it("accepts an unchanged file, and rejects it when a single bit differs", async () => {
    const path = copy();
    await verifySnapshot(path, info);
    const last = info.bytes - 1;
    overwrite(path, last, Buffer.from([(readFileSync(path)[last] ?? 0) ^ 1]));
    await expect(verifySnapshot(path, info)).rejects.toThrow("its content has changed (SHA-256 differs)");
  });
});
