import { describe, expect, it } from "vitest";
import { companyFacts } from "../../test/kit/registry.ts";
import { asOfToday, parseEnding } from "./ending.ts";

const TODAY = "2026-11-26";

describe("a date of deregistration", () => {
  it.each([
    ["31-12-2024", { isOver: true, day: "2024-12-31" }],
    ["20241231", { isOver: true, day: "2024-12-31" }],
    ["20241231.0", { isOver: true, day: "2024-12-31" }],
    ["2024-12-31 00:00:00", { isOver: true, day: "2024-12-31" }],
    ["31-12-2024 00:00", { isOver: true, day: "2024-12-31" }],
    ["2026-11-26", { isOver: true, day: "2026-11-26" }],
    ["2026-11-27", { isOver: false, day: "2026-11-27" }],
    ["01-01-2099", { isOver: false, day: "2099-01-01" }],
    ["20301231", { isOver: false, day: "2030-12-31" }],
    ["2030-12-31T00:00:00Z", { isOver: false, day: "2030-12-31" }],
  ])("%s is past or future, with its day", (text, ending) => {
    expect(parseEnding(text, TODAY)).toEqual(ending);
  });

  it.each([
    "31-12-9999",
    "99991231",
    "9999-12-31",
    "9999-12-31T23:59:59",
    "99999999",
    "99-99-9999",
    "31-12-2999",
  ])("%s means no end", (text) => {
    expect(parseEnding(text, TODAY)).toEqual({ isOver: false });
  });

  it.each([
    "00000000",
    "0",
    "0000-00-00",
    "00-00-0000",
    "00/00/0000",
    "0000-00-00 00:00:00",
    "0000-00-00T00:00:00",
    "01-01-0001",
    "0001-01-01T00:00:00",
    "1900-01-00",
    "30-12-1899",
    "01-01-1900",
  ])("%s is unclear and counted", (text) => {
    expect(parseEnding(text, TODAY)).toEqual({ isOver: false, isUnclear: true });
  });

  it.each([
    ["20150600", true],
    ["20150000", true],
    ["20260000", true],
    ["20261100", true],
    ["20261200", false],
    ["20300000", false],
    ["31-02-2015", true],
    ["20151399", true],
    ["31-02-2031", false],
    ["45-11-2026", true],
  ])("%s, partly known, is past: %s", (text, isOver) => {
    expect(parseEnding(text, TODAY)).toEqual({ isOver, isUnclear: true });
  });

  it.each(["", "ja", "onbekend", "31-12-24", "december 2024", "2024", "1234567890"])(
    "%j is not a date",
    (text) => {
      expect(parseEnding(text, TODAY)).toBeUndefined();
    },
  );
});

it("keeps a company and its branches active until its date of deregistration", () => {
  const branch = { branchNumber: "000000000001", isMain: true, isActive: true };
  const facts = companyFacts(1, { isActive: true, deregistrationDate: "2026-11-27", branches: [branch] });
  expect(asOfToday(facts, "2026-11-26")).toBe(facts);
  expect(asOfToday(facts, "2026-11-27")).toEqual({
    ...facts,
    isActive: false,
    branches: [{ ...branch, isActive: false }],
  });
});
