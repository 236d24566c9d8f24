import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { endedWith, terminal } from "../../test/kit/terminal.ts";
import { parseJsonLine } from "../import/jsonl.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-generate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...words: string[]) => terminal().run("generate", ...words);

describe("opzoek generate", () => {
  it("writes a line per company that import can read, and the same file every time", async () => {
    const [first, second] = [join(folder, "first.jsonl"), join(folder, "second.jsonl")];
    expect((await run("--companies", "1001", "--seed", "5", "--out", first)).err).toEqual([
      `1,001 companies written to ${first}`,
    ]);
    await run("--companies", "1001", "--seed", "5", "--out", second);
    const lines = readFileSync(first, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(1_001);
    expect(lines.filter((line) => !("facts" in parseJsonLine(line)))).toEqual([]);
    expect(readFileSync(second, "utf8")).toBe(readFileSync(first, "utf8"));
  });

  it("reports an invalid number as wrong usage, with the reason", async () => {
    expect(await run("--companies", "many")).toMatchObject(endedWith(2, "--companies"));
    expect(await run("--companies", "0")).toMatchObject(
      endedWith(2, "It must be a whole number from 1 to 5000000."),
    );
    expect(await run("--seed", "-3")).toMatchObject(endedWith(2, "--seed"));
  });

  it("fails with advice if the file cannot be written", async () => {
    const path = join(folder, "absent", "x.jsonl");
    expect(await run("--companies", "1", "--out", path)).toMatchObject(
      endedWith(
        1,
        `${path} cannot be written (ENOENT). Check that the folder exists, is writable and has free space.`,
      ),
    );
  });
});
