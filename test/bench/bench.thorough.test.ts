import { describe, expect, it } from "vitest";
import { gleifLines } from "../../bench/gleif.ts";
import { ROOT } from "../architecture/repository.ts";
import { read } from "../kit/gleif.ts";
import { startProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

describe("the file in GLEIF's layout", () => {
  it("has only rows that the import reads in full", async () => {
    const outcomes = await read([...gleifLines(200)].join(""));
    expect(outcomes).toHaveLength(200);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: "facts", leftOut: [] });
  });
});

describe("npm run bench", () => {
  it("reports imports, starts, memory and suggestions", async () => {
    const sizes = ["--companies", "500", "--gleif-rows", "100", "--folder", temporaryFolder()];
    const words = ["bench/main.ts", ...sizes, "--cases", "suggestions,start,changes,gleif"];
    const { code, out } = await startProgram(process.execPath, words, { cwd: ROOT }).ended;
    expect(code).toBe(0);
    const seconds = "[0-9.]+ s";
    for (const row of [
      `full import of 500 companies \\| ${seconds}`,
      `the same file, 1 % renamed \\| ${seconds}`,
      `a file of the renamed 1 % alone \\| ${seconds}`,
      `100 rows in GLEIF's layout \\| ${seconds}`,
      "first answer after a start \\| [0-9,]+ ms",
      "memory after 4,000 calls \\| [0-9,]+ MiB",
      "full name \\| .* µs",
    ]) {
      expect(out).toMatch(new RegExp(`^\\| ${row}`, "m"));
    }
  });
});
