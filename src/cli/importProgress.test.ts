import { describe, expect, it } from "vitest";
import type { CliContext } from "./command.ts";
import { ImportProgressBar, importLine } from "./importProgress.ts";
import type { StagedWork } from "./stageProgress.ts";

describe("importLine", () => {
  it("shows the share of all, the stage with its rate, and the time that is left", () => {
    const work = { stage: "reading a.jsonl", unit: "bytes", done: 6_200_000, total: 12_400_000 };
    expect(importLine(work, 0.3, { elapsedMs: 2_000, stageMs: 2_000 })).toBe(
      "import  [#########---------------------] 30 %  reading a.jsonl: 6.2 of 12.4 MB, 3.1 a second, about 0:05 left",
    );
    const checking = { stage: "checking", unit: "companies", done: 0 };
    expect(importLine(checking, 0.95, { elapsedMs: 120_000, stageMs: 900 })).toContain(
      "95 %  checking, about 0:06 left",
    );
    const pipe = { stage: "reading -", unit: "bytes", done: 1e6 };
    expect(importLine(pipe, 0, { elapsedMs: 1_000, stageMs: 1_000 })).toBe(
      "import  reading -: 1 MB, 1 a second",
    );
  });

  it("tells the rate of the stage that is under way, not of all before it", () => {
    const work = { stage: "indexing", unit: "companies", done: 6_000, total: 12_000 };
    expect(importLine(work, 0.9, { elapsedMs: 90_000, stageMs: 3_000 })).toContain(
      "indexing: 6,000 of 12,000, 2,000 a second, about 0:10 left",
    );
    expect(importLine(work, 0.9, { elapsedMs: 90_000, stageMs: 3 })).toContain("6,000 of 12,000, about");
  });
});

describe("the bar of an import", () => {
  it("never goes back, from file to file and from stage to stage", () => {
    const unused = (): never => {
      throw new Error("not needed here");
    };
    const context: CliContext = {
      settings: unused,
      out: unused,
      err: unused,
      stderrIsTerminal: false,
      keepTemporaryFiles() {},
      suppressed: async () => new Set<string>(),
    };
    const shares: number[] = [];
    const bar = new ImportProgressBar(context, 2);
    const add = (work: StagedWork) => shares.push(Math.round(bar.shareDone(work) * 1_000) / 1_000);
    for (const name of ["a", "b"]) {
      for (const done of [1, 50, 100]) add({ stage: `reading ${name}`, unit: "bytes", done, total: 100 });
    }
    for (const stage of ["merging", "writing companies", "indexing"]) {
      for (const done of [1, 2]) add({ stage, unit: "companies", done, total: 2 });
    }
    for (const stage of ["finishing", "checking"]) add({ stage, unit: "companies", done: 0 });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.slice(0, 6)).toEqual([0.004, 0.2, 0.4, 0.404, 0.6, 0.8]);
    expect(shares.at(-1)).toBe(0.95);
  });
});
