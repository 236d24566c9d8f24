import { expect, it } from "vitest";
import { snapshotForAll, snapshotOf, sourcedFacts } from "../../test/kit/registry.ts";
import { inOneGo } from "../lib/steps.ts";
import type { SnapshotFile } from "../registry/snapshotFile.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { CompanyFinder } from "./finding.ts";

/**
 * More companies than are counted: 10,000 in Utrecht, 20 in Zeist. Every tenth has a trading name with the same
 * beginning.
 */
const COMPANIES = 10_020;

let snapshot: SnapshotFile;
snapshotForAll(
  () =>
    Array.from({ length: COMPANIES }, (_, number) =>
      sourcedFacts(number, {
        address: { kind: "visiting", city: number < 10_000 ? "Utrecht" : "Zeist", country: "NL" },
        ...(number % 10 === 0 && { tradingNames: [`Voorbeeld winkel ${number}`] }),
      }),
    ),
  (opened) => {
    snapshot = opened;
  },
  120_000,
);

const total = (criteria: Omit<SearchCriteria, "page" | "pageSize">, pageSize = 1) => {
  const { results: _rows, ...totals } = inOneGo(snapshot.search({ ...criteria, page: 1, pageSize }));
  return totals;
};

it.each<Omit<SearchCriteria, "page" | "pageSize">>([
  { q: "voorbeeld" },
  { q: "vo", isActive: true },
  { isActive: true },
  { q: "50" },
  { q: "500", isActive: true },
])("returns 10,000 as an inexact total above that: %j", (criteria) => {
  expect(total(criteria)).toEqual({ total: 10_000, totalIsExact: false });
});

it.each<[number, Omit<SearchCriteria, "page" | "pageSize">]>([
  [10_000, { city: "Utrecht" }],
  [10_000, { q: "voorbeeld", city: "Utrecht" }],
  [20, { q: "voorbeeld", city: "Zeist" }],
  [1_002, { q: "winkel" }],
  [10_000, { q: "5000", city: "Utrecht" }],
  [1_000, { q: "50000", city: "Utrecht" }],
  [20, { q: "500100", city: "Zeist" }],
  [0, { isActive: false }],
])("returns an exact total of %i without a flag: %j", (count, criteria) => {
  expect(total(criteria)).toEqual({ total: count });
});

it("finds companies by a few digits of their number in a city, inactive ones last", async () => {
  const utrecht = { address: { kind: "visiting", city: "Utrecht", country: "NL" } } as const;
  const few = await snapshotOf([
    sourcedFacts(1, utrecht),
    sourcedFacts(49_000_001, utrecht),
    sourcedFacts(49_900_001, { ...utrecht, isActive: false }),
  ]);
  const found = inOneGo(few.search({ q: "99", city: "Utrecht", page: 1, pageSize: 10 }));
  expect(found).toMatchObject({ total: 2, results: [{ kvkNumber: "99000001" }, { kvkNumber: "99900001" }] });
});

it("counts in steps, and once for all pages", () => {
  const stepsOf = (page: number) => {
    const steps = snapshot.search({ q: "voorbeel", page, pageSize: 10 });
    let count = 0;
    while (steps.next().done !== true) count++;
    return count;
  };
  expect(stepsOf(1)).toBeGreaterThan(2);
  expect(stepsOf(2)).toBe(1);
});

it("does not reduce an inexact total for suppressed rows", () => {
  const finder = new CompanyFinder({
    registry: { current: snapshot },
    suppressed: { size: 1, has: (kvkNumber) => kvkNumber === "50000000" },
  });
  const search = (city: string) => {
    const criteria = { q: "voorbeeld", ...(city && { city }), page: 1, pageSize: 10 };
    return inOneGo(finder.searchHere(snapshot, criteria));
  };
  expect(search("")).toMatchObject({ total: 10_000, totalIsExact: false });
  expect(search("Utrecht")).not.toHaveProperty("totalIsExact");
});
