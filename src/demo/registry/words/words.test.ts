import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { itWith, shared, sharedPath } from "../../../../test/kit/needs.ts";
import { tidy } from "../../../lib/values.ts";
import { PLACES } from "./places.ts";
import { SBI_DESCRIPTIONS } from "./sbi.ts";
import { STREETS } from "./streets.ts";
import { CAUSES, CLUBS, HOLDINGS, PRACTICES, SERVICES, SHOPS_AND_CRAFTS } from "./trades.ts";

const CODE_LIST = sharedPath("data/kvk/codelists/sbi2025.csv");

describe("SBI codes", () => {
  it("covers every activity of every trade", () => {
    const used = [SHOPS_AND_CRAFTS, SERVICES, PRACTICES, HOLDINGS, CAUSES, CLUBS]
      .flat()
      .flatMap(({ sbiCodes }) => sbiCodes);
    expect(used.filter((code) => !SBI_DESCRIPTIONS.has(code))).toEqual([]);
  });

  itWith(shared(CODE_LIST), "carries the official description, its white space tidied", () => {
    const rows: { code: string; omschrijving_nl: string }[] = parse(readFileSync(CODE_LIST, "utf8"), {
      columns: true,
    });
    const official = new Map(rows.map((row) => [row.code, tidy(row.omschrijving_nl)]));
    for (const [code, description] of SBI_DESCRIPTIONS)
      expect([code, official.get(code)]).toEqual([code, description]);
  });
});

describe("places", () => {
  it("have distinct ranges of postal codes, from 1000 to 9999", () => {
    const sorted = [...PLACES].sort((one, other) => one.from - other.from);
    let last = 999;
    for (const { name, from, to } of sorted) {
      expect([name, from > last, to >= from, to <= 9_999]).toEqual([name, true, true, true]);
      last = to;
    }
  });

  it("are unique", () => {
    expect(new Set(PLACES.map(({ name }) => name)).size).toBe(PLACES.length);
    expect(PLACES.length).toBeGreaterThan(100);
  });
});

describe("streets", () => {
  it("are numerous and not empty", () => {
    expect(STREETS.length).toBeGreaterThan(1_500);
    expect(STREETS.every((street) => /^['0-9A-Z].{4,}$/u.test(street))).toBe(true);
  });
});
