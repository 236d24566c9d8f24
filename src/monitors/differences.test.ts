import { describe, expect, it } from "vitest";
import {
  ADDRESS,
  baseline,
  branch,
  changesIn,
  compared,
  KVK,
  MOVED,
  SHIELDED,
  seen,
} from "../../test/kit/watchedCompany.ts";
import type { CompanyFacts } from "../company/facts.ts";
import { compareCompany } from "./compare.ts";
import { MAX_BRANCHES } from "./differences.ts";

const branches = (count: number, from = 0) => Array.from({ length: count }, (_, nth) => branch(nth + from));
const activity = (sbiCode: string, isMain = true) => ({ sbiCode, isMain });

describe("a change is reported", () => {
  it.each<[string, Partial<CompanyFacts>, Partial<CompanyFacts>, string, readonly string[]]>([
    ["name", {}, { name: "Bakkerij De Korenaar B.V." }, "company.renamed", ["name"]],
    [
      "statutory name",
      { statutoryName: "A B.V." },
      { statutoryName: "B B.V." },
      "company.renamed",
      ["statutoryName"],
    ],
    [
      "trading name",
      { tradingNames: ["A"] },
      { tradingNames: ["A", "B"] },
      "company.renamed",
      ["tradingNames"],
    ],
    ["trading names", { tradingNames: ["A"] }, { tradingNames: [] }, "company.renamed", ["tradingNames"]],
    ["address", { address: ADDRESS }, { address: MOVED }, "company.moved", ["address"]],
    [
      "house number",
      { address: ADDRESS },
      { address: { ...ADDRESS, houseNumber: "18" } },
      "company.moved",
      ["address"],
    ],
    ["legal form", { legalForm: "VOF" }, { legalForm: "BV" }, "company.legal_form_changed", ["legalForm"]],
    [
      "activity",
      { activities: [activity("10710")] },
      { activities: [activity("56210")] },
      "company.activities_changed",
      ["activities"],
    ],
    ["branch count", { branchCount: 1 }, { branchCount: 2 }, "company.branches_changed", ["branchCount"]],
    [
      "branch",
      { branches: branches(1) },
      { branches: branches(2) },
      "company.branches_changed",
      ["branches"],
    ],
    ["end", {}, { isActive: false }, "company.deregistered", ["isActive"]],
    [
      "end with its date",
      {},
      { isActive: false, deregistrationDate: "2026-10-31" },
      "company.deregistered",
      ["isActive", "deregistrationDate"],
    ],
    [
      "end at the announced date",
      { deregistrationDate: "2026-10-31" },
      { isActive: false, deregistrationDate: "2026-10-31" },
      "company.deregistered",
      ["isActive"],
    ],
    [
      "reactivation",
      { isActive: false, deregistrationDate: "2026-10-31" },
      {},
      "company.reactivated",
      ["isActive", "deregistrationDate"],
    ],
  ])("of the %s", (_, before, now, type, fields) => {
    const [change, ...others] = compared(before, now);
    expect(others).toEqual([]);
    expect(change?.type).toBe(type);
    expect(Object.keys(change?.changes ?? {})).toEqual(fields);
  });

  it("of insolvency", () => {
    const was = { origin: "kvk-open-data", fields: { insolvency: "none" } } as const;
    const now = { ...seen({}), origin: "kvk-open-data", fields: { insolvency: "bankruptcy" } } as const;
    expect(changesIn(compareCompany(KVK, [baseline({}, was)], [now]))).toEqual([
      {
        type: "company.insolvency_changed",
        changes: { insolvency: { previous: "none", current: "bankruptcy" } },
      },
    ]);
  });

  it("once for each type, with the values before and now", () => {
    const now = { name: "B", statutoryName: "B B.V.", address: MOVED, legalForm: "NV" } as const;
    const before = { name: "A", statutoryName: "A B.V.", address: ADDRESS, legalForm: "BV" } as const;
    const { kind: _kind, ...from } = ADDRESS;
    const { kind: _other, ...to } = MOVED;
    expect(compared(before, now)).toEqual([
      {
        type: "company.renamed",
        changes: {
          name: { previous: "A", current: "B" },
          statutoryName: { previous: "A B.V.", current: "B B.V." },
        },
      },
      { type: "company.moved", changes: { address: { previous: from, current: to } } },
      {
        type: "company.legal_form_changed",
        changes: { legalForm: { previous: "BV", current: "NV" } },
      },
    ]);
  });

  it("with the branches that were added, removed or changed only", () => {
    const before = [
      branch(1),
      branch(2, { name: "Markt" }),
      branch(3),
      branch(4, { address: { city: "Delft" } }),
    ];
    const now = [
      branch(0),
      branch(1),
      branch(2, { name: "Haven" }),
      branch(4, { address: { city: "Leiden" } }),
    ];
    const changed = compared({ branches: before }, { branches: now });
    const numbers = (nths: readonly number[]) => nths.map((nth) => branch(nth).branchNumber);
    expect(changed).toMatchObject([{ type: "company.branches_changed" }]);
    const { previous, current } = changed[0]?.changes["branches"] ?? {};
    const numbersIn = (shown: unknown) =>
      (shown as readonly { branchNumber: string }[]).map(({ branchNumber }) => branchNumber);
    expect([numbersIn(previous), numbersIn(current)]).toEqual([numbers([2, 3, 4]), numbers([0, 2, 4])]);
  });

  it("with at most 100 branches", () => {
    const { previous, current } =
      compared({ branches: [] }, { branches: branches(120) })[0]?.changes["branches"] ?? {};
    expect([previous, current]).toEqual([
      [],
      expect.toSatisfy((shown: readonly unknown[]) => shown.length === 100),
    ]);
  });
});

describe("no change is invented", () => {
  it.each<[string, Partial<CompanyFacts>, Partial<CompanyFacts>]>([
    ["a name in other letters", { name: "BAKKERIJ  JANSEN B.V. " }, {}],
    ["composed letters", { name: "Caf\u00e9" }, { name: "Cafe\u0301" }],
    ["trading names in another order", { tradingNames: ["A", "B"] }, { tradingNames: ["b", "a"] }],
    [
      "an address in other letters",
      { address: { kind: "visiting", city: "AMSTERDAM", postalCode: "1012AB", houseNumber: "17 m" } },
      { address: { kind: "visiting", city: "Amsterdam", postalCode: "1012 AB", houseNumber: "17M" } },
    ],
    [
      "parts of an address that were unknown",
      { address: { kind: "visiting", city: "Amsterdam" } },
      { address: ADDRESS },
    ],
    [
      "parts of an address that are unknown",
      { address: ADDRESS },
      { address: { kind: "visiting", city: "Amsterdam" } },
    ],
    [
      "another place of an address",
      { address: { ...ADDRESS, geo: { bagId: "0363010000000001" } } },
      { address: { ...ADDRESS, geo: { bagId: "0363010000000002" } } },
    ],
    ["the kind of an address", { address: ADDRESS }, { address: { ...ADDRESS, kind: "correspondence" } }],
    ["an address that was unknown", {}, { address: ADDRESS }],
    ["an address that is unknown", { address: ADDRESS }, {}],
    ["a shielded address", { address: ADDRESS }, { address: SHIELDED }],
    ["an address that is no longer shielded", { address: SHIELDED }, { address: ADDRESS }],
    ["padded SBI codes", { activities: [activity("6420")] }, { activities: [activity("64200")] }],
    [
      "another main activity",
      { activities: [activity("10710"), activity("56210", false)] },
      { activities: [activity("56210"), activity("10710", false)] },
    ],
    ["unknown activities", { activities: [activity("6420")] }, {}],
    ["the order of branches", { branches: branches(3) }, { branches: branches(3).reverse() }],
    [
      "a branch whose city was unknown",
      { branches: [branch(1)] },
      { branches: [branch(1, { address: { city: "Delft" } })] },
    ],
    [
      "a branch in other letters",
      { branches: [branch(1, { name: "Markt" })] },
      { branches: [branch(1, { name: "MARKT" })] },
    ],
    [
      "branches beyond the end of a cut list",
      { branches: branches(MAX_BRANCHES) },
      { branches: branches(MAX_BRANCHES + 50) },
    ],
    ["a date of deregistration alone", {}, { deregistrationDate: "2099-10-31" }],
    [
      "a corrected date",
      { isActive: false, deregistrationDate: "2026-10-31" },
      { isActive: false, deregistrationDate: "2026-10-30" },
    ],
    ["fields that are not watched", { websites: ["example.com"] }, { websites: [] }],
  ])("from %s", (_, before, now) => {
    expect(compared(before, now)).toEqual([]);
  });

  it("from branches that a cut list pushed out, but from those within it", () => {
    const before = branches(MAX_BRANCHES, 10);
    const now = branches(MAX_BRANCHES, 5);
    const { previous, current } =
      compared({ branches: before }, { branches: now })[0]?.changes["branches"] ?? {};
    expect(previous).toEqual([]);
    expect(current).toHaveLength(5);
  });

  it("from the branches of a company that ended", () => {
    const before = { branches: branches(3), branchCount: 3 };
    expect(
      compared(before, { isActive: false, branches: [], branchCount: 0 }).map(({ type }) => type),
    ).toEqual(["company.deregistered"]);
  });
});
