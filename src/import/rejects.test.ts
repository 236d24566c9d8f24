import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLock } from "../registry/lock.ts";
import { importFiles } from "./importFiles.ts";

const TABLE = "kvk,naam,plaats,actief\n50000012,Korenaar,Rommeldam,ja\n50000021,Molen,Rommeldam,nee\n";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opzoek-rejects-"));
  path = join(folder, "table.csv");
  writeFileSync(path, TABLE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(rejectsPath: string) {
  const directory = join(folder, "registry");
  return importFiles({ directory, format: "csv", files: [path], stdin: Readable.from([]), rejectsPath });
}

describe("a file of rejects", () => {
  it("cannot be one of the imported files, by any name", async () => {
    const linked = join(folder, "linked.csv");
    const hard = join(folder, "hard.csv");
    symlinkSync(path, linked);
    linkSync(path, hard);
    for (const same of [path, join(folder, ".", "table.csv"), linked, hard]) {
      await expect(run(same)).rejects.toThrow("would overwrite");
    }
    expect(readFileSync(path, "utf8")).toBe(TABLE);
    expect(await run(join(folder, "rejects.csv"))).toMatchObject({ used: 2 });
  });

  it("is unchanged while another import runs", async () => {
    const theirs = join(folder, "rejects.csv");
    writeFileSync(theirs, "theirs");
    const lock = takeLock(join(folder, "registry"));
    await expect(run(theirs)).rejects.toThrow("wait until it is done");
    lock.release();
    expect(readFileSync(theirs, "utf8")).toBe("theirs");
  });

  it("has the records that lose to one with another name, with the lines of both", async () => {
    writeFileSync(
      path,
      `${TABLE}50000012,KORENAAR,Rommeldam,ja\n50000021,Wiek,Rommeldam,nee\n50000021,Wiek,Rommeldam,ja\n`,
    );
    const rejects = join(folder, "rejects.csv");
    const report = await run(rejects);
    const reason = "repeated with another name: the newer record counts, or the later one of the same date";
    expect(report).toMatchObject({
      ...{ used: 5, repeated: 3, skipped: 0 },
      leftOutByReason: [
        { reason, count: 1, first: [{ line: 3, detail: `"Molen"; ${path}:5 counts: "Wiek"` }] },
      ],
    });
    const [, lost = "", ...others] = readFileSync(rejects, "utf8").trimEnd().split("\r\n");
    expect(others).toEqual([]);
    expect(lost).toMatch(/table\.csv;3;|table\.csv,3,/);
    expect(lost).toContain('""name"":""Molen""');
  });
});
