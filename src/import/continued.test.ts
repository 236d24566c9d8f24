import { describe, expect, it } from "vitest";
import { continuedSource } from "./continued.ts";
import { originOf } from "./origin.ts";

const source = (name: string, asOf = "2026-10-31T00:00:00.000Z") => ({ origin: `import:${name}`, asOf });
const of = (file: string, ...names: readonly string[]) =>
  continuedSource(
    originOf(file, undefined),
    names.map((name) => source(name)),
  );

describe("a file that differs from an earlier source only in a date", () => {
  it.each([
    ["klanten-2026-11.csv", "klanten-2026-10"],
    ["klanten-2026-11.csv", "klanten"],
    ["klanten.csv", "klanten-2026-10"],
    ["klanten-20261130.csv", "klanten-20261031"],
    ["klanten20261130.csv", "klanten20261031"],
    ["klanten_202611.csv", "klanten_202610"],
    ["klanten-nov-2026.csv", "klanten-okt-2026"],
    ["Klanten november 2026.csv", "klanten-oktober-2026"],
    ["klanten november.csv", "klanten-oktober"],
    ["klanten nov2026.csv", "klanten-oct2026"],
    ["klanten-30-11-2026.csv", "klanten-31-10-2026"],
    ["klanten 30.11.2026.csv", "klanten-31.10.2026"],
    ["klanten-30 november 2026.csv", "klanten-1-oktober-2026"],
    ["klanten-11-2026.csv", "klanten-10-2026"],
    ["klanten_2026_11.csv", "klanten_2026_10"],
    ["klanten-2026_11.csv", "klanten_2026-10"],
    ["klanten-2026-W48.csv", "klanten-2026-w44"],
    ["klanten-week 48-2026.csv", "klanten-week-44-2026"],
    ["klanten-2026Q4.csv", "klanten-2026q3"],
    ["klanten Q4 2026.csv", "klanten-q3-2026"],
    ["klanten-2026.csv", "klanten-2025"],
    ["klanten (2026-11-30).csv", "klanten-2026-10-31"],
    ["klanten-2026-11-30T0615.csv.gz", "klanten-2026-10-31t0630"],
    ["klanten_20261130_061500.csv", "klanten_20261031_063000"],
    ["2026-11 klanten NL.csv", "2026-10-klanten-nl"],
    ["2026-11.csv", "2026-10"],
    ["klanten-2026-11.csv", "klanten-nov-2025"],
  ])("continues it: %s after %s", (file, name) => {
    const { origin, notice } = of(file, "andere", name);
    expect(origin).toBe(`import:${name}`);
    expect(notice).toContain(`continues import:${name}.`);
  });

  it("continues the newest one, and says so", () => {
    const sources = [
      source("klanten-2026-09", "2026-09-30T00:00:00.000Z"),
      source("klanten-2026-10"),
      source("klanten-2026-08", "2026-08-31T00:00:00.000Z"),
    ];
    expect(continuedSource("import:klanten-2026-11", sources).origin).toBe("import:klanten-2026-10");
    expect(continuedSource("import:klanten-2026-09", sources)).toEqual({ origin: "import:klanten-2026-09" });
  });
});

describe("a counter is not a date", () => {
  it.each([
    ["klanten-deel2.csv", "klanten-deel1"],
    ["klanten-deel 2.csv", "klanten-deel-1"],
    ["klanten-v2.csv", "klanten-v1"],
    ["klanten-v2.csv", "klanten"],
    ["klanten-3.csv", "klanten-2"],
    ["klanten (2).csv", "klanten"],
    ["klanten-2026-11 (2).csv", "klanten-2026-10"],
    ["klanten-12.csv", "klanten-11"],
    ["klanten2.csv", "klanten1"],
  ])("which is said: %s after %s", (file, name) => {
    const { origin, notice } = of(file, name);
    expect(origin).toBe(originOf(file, undefined));
    expect(notice).toContain(`differs from import:${name} only in a number`);
  });
});

it.each([
  ["klanten-2026-11.csv"],
  ["klanten-2026-11.csv", "leveranciers-2026-10", "gleif", "kvk-api"],
  ["klanten-2026-11.csv", "klanten-nl-2026-10"],
  ["klanten-jan.csv", "klanten-piet", "klanten"],
  ["klanten-2026-13.csv", "klanten-2026"].slice(0, 1),
  ["klanten-b.csv", "klanten-a"],
])("another file is a source of its own, silently: %s", (file, ...names) => {
  expect(of(file ?? "", ...names)).toEqual({ origin: originOf(file ?? "", undefined) });
});
