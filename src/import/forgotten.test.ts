import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseKvkNumber } from "../contract/numbers.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { importFiles } from "./importFiles.ts";
import type { ImportRequest } from "./request.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opzoek-forgotten-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): string {
  const path = join(folder, "a.jsonl");
  writeFileSync(path, text);
  return path;
}

function run(path: string, more: Partial<ImportRequest>) {
  const directory = join(folder, "registry");
  return importFiles({ directory, format: "jsonl", files: [path], stdin: Readable.from([]), ...more });
}

function company(digits: string) {
  const kvkNumber = parseKvkNumber(digits);
  const snapshot = openCurrentSnapshot(join(folder, "registry"));
  try {
    return kvkNumber === undefined ? undefined : snapshot?.enriched(kvkNumber);
  } finally {
    snapshot?.close();
  }
}

it("skips and counts the line of a company that must be forgotten", async () => {
  const line = (kvkNumber: string, more: object) =>
    `${JSON.stringify({ kvkNumber, name: "Geheim", isActive: true, source: { kvk: "gleif", cachedAt: "2026-01-01" }, ...more })}\n`;
  const later = { source: { kvk: "gleif", cachedAt: "2199-01-01" } };
  const path = fileOf(
    line("50000012", {}) +
      line("50000021", { ...later, address: { city: "Rommeldam", country: "QQ" } }) +
      '{"kvkNumber":\n' +
      line("50000033", { ...later, name: "Bakker" }) +
      line("50000021", {}),
  );
  const rejectsPath = join(folder, "rejects.csv");
  const more = { omit: new Set(["50000021"]), rejectsPath, now: () => Date.parse("2026-02-03T12:00:00Z") };
  for (const counts of [
    { new: 2, unchanged: 0 },
    { new: 0, unchanged: 2 },
  ]) {
    const report = await run(path, more);
    expect(report).toMatchObject({ read: 5, used: 2, skipped: 3, repeated: 0, ...counts });
    expect(report.skippedByReason).toEqual([
      {
        reason: "is on the list of what must be forgotten",
        count: 2,
        first: [
          { file: path, line: 2 },
          { file: path, line: 5 },
        ],
      },
      { reason: "the line is not JSON", count: 1, first: [{ file: path, line: 3 }] },
    ]);
    expect(report.leftOutByReason).toEqual([
      {
        reason: "a date of the data after today (UTC): today is taken",
        count: 1,
        first: [{ file: path, line: 4, detail: "2199-01-01T00:00:00.000Z" }],
      },
    ]);
    const rejects = readFileSync(rejectsPath, "utf8");
    expect(rejects.split("\r\n")).toHaveLength(3);
    expect(rejects).not.toContain("50000021");
    expect(company("50000021")).toBeUndefined();
    expect(company("50000033")?.company.source).toEqual({
      kvk: "gleif",
      cachedAt: "2026-02-03T00:00:00.000Z",
    });
  }
});
