import { describe, expect, it } from "vitest";
import { progressLine, withProgress } from "./progress.ts";

describe("progressLine", () => {
  it.each([
    [
      { stage: "companies", done: 12_500, total: 25_000 },
      "companies  [###############---------------] 50 %  12,500 of 25,000, 6,250/s",
    ],
    [
      { stage: "reading a.jsonl", unit: "bytes", done: 6_200_000, total: 12_400_000 },
      "reading a.jsonl  [###############---------------] 50 %  6.2 of 12.4 MB, 3.1/s",
    ],
    [{ stage: "records", done: 1_000 }, "records  1,000, 500/s"],
    [{ stage: "checking", done: 0 }, "checking"],
  ])("shows share, counts and speed where they are known: %j", (work, line) => {
    expect(progressLine(work, 2_000)).toBe(line);
  });

  it("never shows more than 100 %", () => {
    expect(progressLine({ stage: "records", done: 30, total: 20 }, 2_000)).toContain("] 100 %");
  });
});

describe("withProgress", () => {
  it("writes nothing for a few seconds of work if stderr is not a terminal", async () => {
    const lines: string[] = [];
    await withProgress({ err: (line) => lines.push(line), stderrIsTerminal: false }, ({ update }) => {
      for (const done of [1, 2, 3]) update({ stage: "companies", done, total: 3 });
    });
    expect(lines).toEqual([]);
  });
});
