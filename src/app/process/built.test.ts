import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtProgram } from "./built.js";

const BEFORE = new Date("2026-01-01T00:00:00Z");
const BUILT = new Date("2026-01-02T00:00:00Z");
const AFTER = new Date("2026-01-03T00:00:00Z");

let root: string;

function put(path: string, time: Date): void {
  writeFileSync(join(root, path), "");
  utimesSync(join(root, path), time, time);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "opzoek-built-"));
  mkdirSync(join(root, "src/room"), { recursive: true });
  put("src/room/file.ts", BEFORE);
  put("src/main.ts", BEFORE);
  mkdirSync(join(root, "build"));
  put("build/describe.ts", BEFORE);
  for (const folder of ["src/room", "src", "build"]) utimesSync(join(root, folder), BEFORE, BEFORE);
  mkdirSync(join(root, "dist"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("builtProgram", () => {
  it("returns a build that is newer than the sources", () => {
    put("dist/main.js", BUILT);
    expect(builtProgram(root)).toBe(pathToFileURL(join(root, "dist/main.js")).href);
  });

  it("returns the build if there are no sources, whatever the age of their folder", () => {
    put("dist/main.js", BEFORE);
    rmSync(join(root, "src/main.ts"));
    utimesSync(join(root, "src"), AFTER, AFTER);
    expect(builtProgram(root)).toBe(pathToFileURL(join(root, "dist/main.js")).href);
  });

  it("returns undefined without a build", () => {
    expect(builtProgram(root)).toBeUndefined();
  });

  it("returns undefined if a source was changed or deleted after the build", () => {
    put("dist/main.js", BUILT);
    put("src/room/file.ts", AFTER);
    expect(builtProgram(root)).toBeUndefined();
    put("src/room/file.ts", BEFORE);
    utimesSync(join(root, "src/room"), AFTER, AFTER);
    expect(builtProgram(root)).toBeUndefined();
    utimesSync(join(root, "src/room"), BEFORE, BEFORE);
    put("build/describe.ts", AFTER);
    expect(builtProgram(root)).toBeUndefined();
  });
});
