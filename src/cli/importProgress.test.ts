import { describe, expect, it } from "vitest";
import type { CliContext } from "./command.ts";
import { ImportProgressBar, importLine } from "./importProgress.ts";
import type { StagedWork } from "./stageProgress.ts";

describe("importLine", () => {
  it("shows the share of all, the stage with its rate, and the time that is left", () => {
    const work = { stage: "reading a.jsonl", unit: "bytes", done: 6_200_000, total: 12_400_000 };
    expect(importLine(work, 0.3, 2_000)).toBe(
      "import  [#########---------------------] 30 %  reading a.jsonl: 6.2 of 12.4 MB, 3.1 a second, about 0:05 left",
    );
    expect(importLine({ stage: "checking", unit: "companies", done: 0 }, 0.95, 120_000)).toContain(
      "95 %  checking, about 0:06 left",
    );
    expect(importLine({ stage: "reading -", unit: "bytes", done: 1e6 }, 0, 1_000)).toBe(
      "import  reading -: 1 MB, 1 a second",
    );
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
