import { describe, expect, it } from "vitest";
import { progressLine, showProgress } from "./progress.ts";

describe("progressLine", () => {
  it("shows share, counts and speed when the total is known", () => {
    expect(progressLine("companies", 12_500, 25_000, 2_000)).toBe(
      "companies  [###############---------------] 50 %  12,500 of 25,000, 6,250 a second",
    );
  });

  it("shows counts and speed alone when it is not, and never more than 100 %", () => {
    expect(progressLine("records", 500, undefined, 1_000)).toBe("records  500, 500 a second");
    expect(progressLine("records", 30, 20, 1_000)).toContain("] 100 %");
  });
});

describe("showProgress", () => {
  it("writes no line for work that is done within seconds when nobody watches a terminal", () => {
    const lines: string[] = [];
    const unused = (): never => {
      throw new Error("not needed here");
    };
    const progress = showProgress(
      {
        settings: unused,
        out: unused,
        err: (line) => lines.push(line),
        stderrIsTerminal: false,
        keepTemporaryFiles() {},
        suppressed: async () => new Set<string>(),
      },
      "companies",
      3,
    );
    for (const done of [1, 2, 3]) progress.update(done);
    progress.end();
    expect(lines).toEqual([]);
  });
});
