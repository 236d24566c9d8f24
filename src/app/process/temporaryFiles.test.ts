import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { setTemporaryFolder } from "./temporaryFiles.ts";

it("deletes only the files of ended processes", () => {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, "tmp"));
  const nowMs = Date.now();
  const file = (name: string, ageMs: number) => {
    const path = join(dataDir, "tmp", name);
    writeFileSync(path, "");
    utimesSync(path, new Date(), new Date(nowMs - ageMs));
    return path;
  };
  const left = file("etilqs_0123456789abcdef", 61_000);
  const kept = [file("etilqs_fedcba9876543210", 59_000), file("notes.txt", 1e9), file("etilqs_list", 1e9)];
  setTemporaryFolder(dataDir, {}, () => nowMs);
  expect(existsSync(left)).toBe(false);
  expect(kept.map((path) => existsSync(path))).toEqual([true, true, true]);
});

it("lets a process that only reads continue if DATA_DIR is not writable", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const environment: Record<string, string | undefined> = {};
  setTemporaryFolder(join(file, "data"), environment);
  expect(environment).toEqual({ SQLITE_TMPDIR: join(file, "data", "tmp") });
});
