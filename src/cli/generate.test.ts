import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { parseJsonLine } from "../import/jsonl.ts";
import { CommandFailure, WrongUse } from "./command.ts";
import { addGenerateCommand } from "./generate.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-generate-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...words: string[]): Promise<string[]> {
  const heard: string[] = [];
  const program = new Command().exitOverride();
  addGenerateCommand(program, {
    settings: () => {
      throw new Error("generate needs no settings");
    },
    out: (line) => heard.push(line),
    err: (line) => heard.push(line),
    stderrIsTerminal: false,
    keepTemporaryFiles() {},
    suppressed: async () => new Set<string>(),
  });
  await program.parseAsync(["generate", ...words], { from: "user" });
  return heard;
}

describe("opzoek generate", () => {
  it("writes a line for each company that import can read, the same file every time", async () => {
    const [first, second] = [join(folder, "first.jsonl"), join(folder, "second.jsonl")];
    expect(await run("--companies", "1001", "--seed", "5", "--out", first)).toEqual([
      `1,001 companies written to ${first}`,
    ]);
    await run("--companies", "1001", "--seed", "5", "--out", second);
    const lines = readFileSync(first, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(1_001);
    expect(lines.filter((line) => !("facts" in parseJsonLine(line)))).toEqual([]);
    expect(readFileSync(second, "utf8")).toBe(readFileSync(first, "utf8"));
  });

  it("calls a bad number wrong use and says which and why", async () => {
    await expect(run("--companies", "many")).rejects.toThrow(WrongUse);
    await expect(run("--companies", "0")).rejects.toThrow(
      "--companies must be a whole number from 1 to 5000000.",
    );
    await expect(run("--seed", "-3")).rejects.toThrow("--seed must be a whole number");
  });

  it("fails with a hint when the file cannot be written", async () => {
    await expect(run("--companies", "1", "--out", join(folder, "absent", "x.jsonl"))).rejects.toThrow(
      new CommandFailure(
        `${join(folder, "absent", "x.jsonl")} cannot be written (ENOENT). Check that the folder exists, may be written and has room.`,
      ),
    );
  });
});
