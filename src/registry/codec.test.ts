import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryFacts } from "../../test/kit/arbitraryFacts.ts";
import { companyFacts } from "../../test/kit/registry.ts";
import { withVersions } from "../company/activities.ts";
import { cleanFacts } from "../company/merge.ts";
import type { Activity } from "../contract/resources.ts";
import { decodeFacts, encodeFacts, FLAGS } from "./codec.ts";
import { Interner } from "./interner.ts";

const source = { origin: "demo", asOf: "2026-01-01T00:00:00.000Z" };

describe("a row of the snapshot", () => {
  it("returns any facts that were encoded", () => {
    const interner = new Interner();
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const clean = withVersions(cleanFacts(facts), { origin: "demo", asOfMs: Date.parse(source.asOf) });
        expect(decodeFacts(encodeFacts(clean, source, interner), interner)).toEqual(clean);
      }),
    );
  });

  it("stores name and address of a branch only if they differ from the company's", () => {
    const address = { street: "Dorpsstraat", houseNumber: "1", postalCode: "1234 AB", city: "Ons Dorp" };
    const facts = companyFacts(1, {
      address: { ...address, country: "NL", kind: "visiting" },
      branches: [
        { branchNumber: "000000000001", name: "Voorbeeld 1 B.V.", isMain: true, isActive: true, address },
      ],
    });
    const row = encodeFacts(facts, source, new Interner());
    expect(row.at(-1)).toBe('[["000000000001",55]]');
    expect(decodeFacts(row, new Interner())).toEqual(facts);
  });

  it.each([
    ["Jan Zwaan", "Ter Zwet"],
    ["Zwaan Rommeldam", "Ter Zwet"],
    ["Rommeldam.Zwaan", "Ter Zwet"],
  ])("of an earlier version shows no shielded city that may be more: %s", (text, city) => {
    const interner = new Interner();
    const shielded = { city: text, isShielded: true } as const;
    const facts = companyFacts(1, {
      address: { ...shielded, kind: "visiting" },
      branches: [
        { branchNumber: "000000000001", isMain: false, isActive: true, address: { ...shielded } },
        { branchNumber: "000000000002", isMain: false, isActive: true, address: { ...shielded, city } },
      ],
    });
    const stored = encodeFacts(facts, source, interner);
    expect(decodeFacts(stored, interner)).toEqual(facts);
    const [kvk, name, flags, street, house, postal, place, country, registered, form, origin, asOf, rest] =
      stored;
    const branches = String(stored[13]).replaceAll(/(?<=",)[0-9]+/g, (one) => `${Number(one) & ~64}`);
    const earlier = flags & ~FLAGS.checkedCity;
    const row = [
      kvk,
      name,
      earlier,
      street,
      house,
      postal,
      place,
      country,
      registered,
      form,
      origin,
      asOf,
      rest,
      branches,
    ] as const;
    const read = decodeFacts(row, interner);
    expect(read.address).toEqual({ isShielded: true, kind: "visiting" });
    expect(read.branches?.[0]?.address).toEqual({ isShielded: true });
    expect(read.branches?.[1]?.address?.city).toBe(city);
  });

  it("stores facts under the keys and in the order of earlier snapshots", () => {
    const facts = companyFacts(1, {
      ...{ activities: [{ sbiCode: "0113", isMain: true }], deregistrationDate: "2030-12-31" },
      ...{ websites: ["www.fabel.example"], branchCount: 2, mainBranchNumber: "000050000001" },
      ...{ employees: { total: 3, partTime: 1 }, nonMailing: false, vatNumber: "NL123456782B01" },
      ...{ rsin: "123456782", statutoryName: "Voorbeeld 1 B.V.", tradingNames: ["Fabel"] },
    });
    expect(encodeFacts(facts, source, new Interner()).at(-2)).toBe(
      '{"t":["Fabel"],"s":1,"r":"123456782","v":"NL123456782B01","n":0,"e":[3,null,1],"m":"000050000001","c":2,"w":["www.fabel.example"],"d":"2030-12-31","a":[3]}',
    );
  });

  it("stores the versions of activities only if code, description and date do not imply them", () => {
    const interner = new Interner();
    const restOf = (activities: readonly Activity[], more: { origin?: string; isMerged?: true } = {}) => {
      const row = encodeFacts(companyFacts(1, { activities }), { ...source, ...more }, interner);
      expect(decodeFacts(row, interner).activities).toEqual(activities);
      return row.at(-2);
    };
    const [bread, apples] = [
      { sbiCode: "10710", isMain: true },
      { sbiCode: "01241", isMain: false },
    ];
    expect(restOf([{ ...bread, sbiVersion: "2025" }, apples])).toBe('{"a":[3,4]}');
    expect(restOf([{ ...apples, sbiVersion: "2025" }], { origin: "kvk-api" })).toBe('{"a":[4]}');
    expect(restOf([{ ...apples, sbiVersion: "2025" }], { origin: "kvk-api", isMerged: true })).toBe(
      '{"a":[4],"av":[2]}',
    );
    expect(restOf([{ ...bread, sbiVersion: "2008" }, apples])).toBe('{"a":[3,4],"av":[1,0]}');
  });

  it("stores a single number if only the total of employees is known", () => {
    const facts = companyFacts(1, { employees: { total: 12 } });
    const row = encodeFacts(facts, source, new Interner());
    expect(row.at(-2)).toBe('{"e":12}');
    expect(decodeFacts(row, new Interner()).employees).toEqual({ total: 12 });
  });

  it("rejects data without a date", () => {
    expect(() => encodeFacts(companyFacts(1), { origin: "demo", asOf: "gisteren" }, new Interner())).toThrow(
      "the date of the data of demo is not an ISO 8601 date",
    );
  });
});
