import { describe, expect, it } from "vitest";
import {
  ADDRESS,
  baseline,
  branch,
  changesIn,
  KVK,
  MOVED,
  SHIELDED,
  seen,
} from "../../test/kit/watchedCompany.ts";
import type { CompanyFacts } from "../company/facts.ts";
import { compareCompany, type SeenFacts } from "./compare.ts";
import { FIELDS_FORMAT } from "./watchedFields.ts";

describe("no change is invented", () => {
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
    const old = baseline({}, { format: FIELDS_FORMAT - 1 });
    const observed = compareCompany(KVK, [old], [seen({ name: "Other" }, { asOfMs: 10, serialMs: 10 })]);
    expect(observed).toMatchObject([
      { changes: [], baseline: { format: FIELDS_FORMAT, fields: { name: "Other" } } },
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

describe("activities", () => {
  const AFTER_MS = Date.UTC(2026, 0, 1);
  const BEFORE_MS = Date.UTC(2025, 0, 1);
  const codes = (...sbiCodes: string[]) => ({
    activities: sbiCodes.map((sbiCode, nth) => ({ sbiCode, isMain: nth === 0 })),
  });
  const compared = (before: string[], beforeMs: number, now: string[], origin = "import:crm") =>
    compareCompany(
      KVK,
      [baseline(codes(...before), { origin, asOfMs: beforeMs, serialMs: 1 })],
      [seen(codes(...now), { origin, asOfMs: AFTER_MS, serialMs: 2 })],
    )[0];

  it.each<[string, string[], number, string[], string | undefined]>([
    ["that a code has only in 2008", ["1071"], AFTER_MS, ["10710", "56210"], undefined],
    ["that the date of an earlier version's baseline shows", ["01241"], BEFORE_MS, ["10710"], undefined],
    ["that KVK's date shows", ["01241"], BEFORE_MS, ["01252"], "kvk-api"],
  ])("of another version replace the baseline without a change: %s", (_, before, beforeMs, now, origin) => {
    const observed = compared(before, beforeMs, now, origin);
    expect(observed?.changes).toEqual([]);
    expect(observed?.baseline.fields.activities?.map(({ sbiCode }) => sbiCode)).toEqual(now);
  });

  it.each<[string, string[], number, string[]]>([
    ["2025", ["10710"], AFTER_MS - 1, ["56210"]],
    ["2008", ["1071"], AFTER_MS - 1, ["4724"]],
    ["an unknown one", ["01241"], AFTER_MS - 1, ["01252"]],
  ])("of one version are compared: %s", (_, before, beforeMs, now) => {
    expect(compared(before, beforeMs, now)?.changes).toMatchObject([{ type: "company.activities_changed" }]);
  });
});
