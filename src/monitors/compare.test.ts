import { describe, expect, it } from "vitest";
import type { CompanyFacts, FactsAddress } from "../company/facts.ts";
import { parseKvkNumber } from "../contract/numbers.ts";
import { compareCompany, type SeenFacts } from "./compare.ts";
import type { Baseline, Observation, WatchedFields } from "./types.ts";
import { FORMAT, MAX_BRANCHES, watchedFields } from "./watchedFields.ts";

const KVK = parseKvkNumber("51234567") ?? expect.fail("no KVK number");
const ADDRESS: FactsAddress = {
  kind: "visiting",
  street: "Korenmolenlaan",
  houseNumber: "17M",
  postalCode: "1012 AB",
  city: "Amsterdam",
  country: "NL",
};
const MOVED: FactsAddress = { ...ADDRESS, street: "Deegplein", houseNumber: "2", postalCode: "1506 AB" };
const SHIELDED: FactsAddress = { kind: "visiting", city: "Amsterdam", country: "NL", isShielded: true };
const FACTS: CompanyFacts = { kvkNumber: KVK, name: "Bakkerij Jansen B.V.", isActive: true };

const fieldsOf = (facts: Partial<CompanyFacts>): WatchedFields => watchedFields({ ...FACTS, ...facts });
const branch = (nth: number, facts: object = {}) => ({
  branchNumber: String(100_000_000_000 + nth),
  isMain: false,
  isActive: true,
  ...facts,
});
const branches = (count: number, from = 0) => Array.from({ length: count }, (_, nth) => branch(nth + from));
const activity = (sbiCode: string, isMain = true) => ({ sbiCode, isMain });

function baseline(facts: Partial<CompanyFacts>, more: Partial<Baseline> = {}): Baseline {
  const origin = "import:crm";
  return {
    ...{ kvkNumber: KVK, origin, asOfMs: 10, serialMs: 10, format: FORMAT, fields: fieldsOf(facts) },
    ...more,
  };
}

function seen(facts: Partial<CompanyFacts>, more: Partial<SeenFacts> = {}): SeenFacts {
  return { origin: "import:crm", asOfMs: 20, serialMs: 20, fields: fieldsOf(facts), ...more };
}

const changesIn = (observations: readonly Observation[]) => observations.flatMap(({ changes }) => changes);
const compared = (before: Partial<CompanyFacts>, now: Partial<CompanyFacts>) =>
  changesIn(compareCompany(KVK, [baseline(before)], [seen(now)]));

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

  it.each<[string, Partial<SeenFacts>]>([
    ["older", { asOfMs: 9 }],
    ["as old", { asOfMs: 10, serialMs: 10 }],
    ["from an older snapshot", { asOfMs: 20, serialMs: 9 }],
    ["from a newer snapshot with older data", { asOfMs: 9, serialMs: 20 }],
  ])("from facts that are %s", (_, more) => {
    expect(compareCompany(KVK, [baseline({})], [seen({ name: "Other" }, more)])).toEqual([]);
  });

  it("from the first facts of an origin", () => {
    const observed = compareCompany(KVK, [baseline({}, { origin: "gleif" })], [seen({ name: "Other" })]);
    expect(observed).toMatchObject([
      { replaces: undefined, changes: [], baseline: { origin: "import:crm" } },
    ]);
  });

  it("from a baseline of another format, which is replaced", () => {
    const old = baseline({}, { format: FORMAT - 1 });
    const observed = compareCompany(KVK, [old], [seen({ name: "Other" }, { asOfMs: 10, serialMs: 10 })]);
    expect(observed).toMatchObject([
      { changes: [], baseline: { format: FORMAT, fields: { name: "Other" } } },
    ]);
    expect(compareCompany(KVK, [old], [seen({}, { asOfMs: 9 })])).toEqual([]);
  });

  it("from the absence of a company", () => {
    expect(compareCompany(KVK, [baseline({})], [])).toEqual([]);
  });
});

describe("the next baseline", () => {
  const next = (before: Partial<CompanyFacts>, now: Partial<CompanyFacts>) =>
    compareCompany(KVK, [baseline(before)], [seen(now)])[0]?.baseline;

  it("keeps the last known values of fields that became unknown", () => {
    const before = { address: ADDRESS, legalForm: "BV", branches: [branch(1, { name: "Markt" })] } as const;
    const { kind: _, ...address } = ADDRESS;
    expect(
      next({ ...before, branches: [...before.branches] }, { branches: [branch(1)] })?.fields,
    ).toMatchObject({
      ...{ address, legalForm: "BV" },
      branches: [{ branchNumber: branch(1).branchNumber, name: "Markt" }],
    });
  });

  it("never mixes the parts of two addresses", () => {
    const now = { kind: "visiting", street: "Deegplein", city: "Zaandam" } as const;
    expect(next({ address: ADDRESS }, { address: now })?.fields.address).toEqual({
      street: "Deegplein",
      city: "Zaandam",
    });
  });

  it("has no date of deregistration while the company is active", () => {
    const ended = { isActive: false, deregistrationDate: "2026-10-31" };
    expect(next(ended, {})?.fields.deregistrationDate).toBeUndefined();
    expect(next(ended, { isActive: false })?.fields.deregistrationDate).toBe("2026-10-31");
  });

  it("belongs to the snapshot of the one before if an answer replaces it", () => {
    const { serialMs: _, ...answer } = seen({}, { asOfMs: 30 });
    expect(compareCompany(KVK, [baseline({})], [answer])[0]).toMatchObject({
      replaces: { asOfMs: 10, serialMs: 10 },
      baseline: { asOfMs: 30, serialMs: 10 },
    });
  });

  it("is stored without changes when facts are newer but the same", () => {
    expect(compareCompany(KVK, [baseline({})], [seen({})])).toMatchObject([
      { changes: [], baseline: { asOfMs: 20, serialMs: 20 } },
    ]);
  });

  it("has the newest facts of an origin with several", () => {
    const { serialMs: _, ...answer } = seen({ name: "Answer" }, { asOfMs: 30 });
    const observed = compareCompany(KVK, [baseline({})], [answer, seen({ name: "Import" })]);
    expect(observed).toMatchObject([{ baseline: { fields: { name: "Answer" } } }]);
  });
});

it("reports an end once its day has come, although the facts are the same", () => {
  const ended = seen({ isActive: false }, { asOfMs: 10, serialMs: 10, endedAtMs: 15 });
  const [observed] = compareCompany(KVK, [baseline({})], [ended]);
  expect(observed).toMatchObject({
    baseline: { asOfMs: 10, serialMs: 15 },
    changes: [{ type: "company.deregistered" }],
  });
  if (observed !== undefined) expect(compareCompany(KVK, [observed.baseline], [ended])).toEqual([]);
});

describe("an origin that catches up with another one", () => {
  const live = (facts: Partial<CompanyFacts>, asOfMs: number) =>
    baseline(facts, { origin: "kvk-api", asOfMs });
  const NEW = { name: "New" };

  it("reports nothing if the other one said so after the value was known", () => {
    expect(changesIn(compareCompany(KVK, [live(NEW, 15), baseline({})], [seen(NEW)]))).toEqual([]);
  });

  it("reports nothing either if its old value was confirmed in the meantime", () => {
    const [confirmed] = compareCompany(KVK, [baseline({})], [seen({}, { asOfMs: 18 })]);
    const stored = [live(NEW, 15), confirmed?.baseline ?? expect.fail("no baseline")];
    expect(changesIn(compareCompany(KVK, stored, [seen(NEW, { serialMs: 30, asOfMs: 30 })]))).toEqual([]);
  });

  it("reports a change back to what the other one said long ago", () => {
    const [changed] = compareCompany(KVK, [baseline(NEW)], [seen({}, { asOfMs: 18 })]);
    const stored = [live(NEW, 15), changed?.baseline ?? expect.fail("no baseline")];
    expect(changesIn(compareCompany(KVK, stored, [seen(NEW, { serialMs: 30, asOfMs: 30 })]))).toMatchObject([
      { type: "company.renamed" },
    ]);
  });

  it("reports other changes", () => {
    const now = { ...NEW, address: MOVED };
    const stored = [live(NEW, 15), baseline({ address: ADDRESS })];
    expect(changesIn(compareCompany(KVK, stored, [seen(now)]))).toMatchObject([{ type: "company.moved" }]);
  });

  it("reports a move within a city that is all the other one knows", () => {
    const stored = [
      live({ address: { kind: "visiting", city: "Amsterdam" } }, 15),
      baseline({ address: ADDRESS }),
    ];
    expect(changesIn(compareCompany(KVK, stored, [seen({ address: MOVED })]))).toMatchObject([
      { type: "company.moved" },
    ]);
  });

  it("reports nothing if both are new at once", () => {
    const { serialMs: _, ...answer } = seen(NEW, { origin: "kvk-api", asOfMs: 19 });
    const observed = compareCompany(KVK, [live({}, 12), baseline({})], [seen(NEW), answer]);
    expect(observed.map(({ baseline: { origin }, changes }) => [origin, changes.length])).toEqual([
      ["kvk-api", 1],
      ["import:crm", 0],
    ]);
  });
});

describe("an address that one origin shields", () => {
  const SHIELDING = seen({ address: SHIELDED }, { origin: "kvk-api" });
  const KVK_BEFORE = baseline({ address: ADDRESS }, { origin: "kvk-api" });

  it("is hidden in the baselines of all, also of those without newer facts", () => {
    const observed = compareCompany(KVK, [KVK_BEFORE, baseline({ address: ADDRESS })], [SHIELDING]);
    expect(observed).toMatchObject([
      {
        baseline: { origin: "kvk-api", fields: { address: SHIELDED.isShielded && { isShielded: true } } },
        hidesAddress: true,
      },
      { baseline: { origin: "import:crm", asOfMs: 10 }, changes: [], hidesAddress: true },
    ]);
    expect(JSON.stringify(observed)).not.toMatch(/Korenmolenlaan|17M|1012 AB/);
  });

  it("is hidden in the facts of others", () => {
    const stored = [baseline({ address: SHIELDED }, { origin: "kvk-api" }), baseline({ address: ADDRESS })];
    const observed = compareCompany(KVK, stored, [seen({ address: MOVED })]);
    expect(changesIn(observed)).toEqual([]);
    expect(JSON.stringify(observed)).not.toMatch(/Korenmolenlaan|Deegplein/);
    const after = [stored[0] ?? expect.fail(), observed[0]?.baseline ?? expect.fail()];
    expect(compareCompany(KVK, after, [seen({ address: MOVED })])).toEqual([]);
  });

  it("is compared by city and country", () => {
    const moved = { address: { ...SHIELDED, city: "Utrecht" } };
    const { changes } = compareCompany(KVK, [KVK_BEFORE], [seen(moved, { origin: "kvk-api" })])[0] ?? {};
    expect(changes).toEqual([
      {
        type: "company.moved",
        changes: {
          address: {
            previous: { city: "Amsterdam", country: "NL" },
            current: { city: "Utrecht", country: "NL" },
          },
        },
      },
    ]);
  });

  it("is shown again when that origin no longer shields it", () => {
    const stored = [
      baseline({ address: SHIELDED }, { origin: "kvk-api" }),
      baseline({ address: { kind: "visiting", city: "Amsterdam", country: "NL" } }),
    ];
    const now = [seen({ address: ADDRESS }, { origin: "kvk-api" }), seen({ address: ADDRESS })];
    const observed = compareCompany(KVK, stored, now);
    expect(changesIn(observed)).toEqual([]);
    expect(observed.map(({ baseline: { fields } }) => fields.address?.street)).toEqual([
      "Korenmolenlaan",
      "Korenmolenlaan",
    ]);
  });
});
