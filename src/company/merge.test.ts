import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitrarySourced } from "../../test/kit/arbitraryFacts.ts";
import { companyFacts, sourcedFacts } from "../../test/kit/registry.ts";
import { hideShielded } from "./address.ts";
import type { FactsAddress, SourcedFacts } from "./facts.ts";
import { cleanFacts, mergeFacts } from "./merge.ts";

const older = { origin: "gleif", asOf: "2024-01-01T00:00:00.000Z" };
const newer = { origin: "kvk-api", asOf: "2026-01-01T00:00:00.000Z" };
const visiting: FactsAddress = {
  kind: "visiting",
  street: "Dorpsstraat",
  houseNumber: "1",
  city: "Ons Dorp",
  country: "NL",
};
const correspondence: FactsAddress = {
  kind: "correspondence",
  street: "Postbus",
  houseNumber: "200",
  city: "Elders",
};

const hidden: FactsAddress = { kind: "visiting", city: "Ons Dorp", country: "NL", isShielded: true };
const geo = { location: { latitude: 52.1, longitude: 5.1 }, bagId: "0363010000000001" };

describe("mergeFacts", () => {
  it.each<[name: string, old: FactsAddress, young: FactsAddress, shown: FactsAddress]>([
    [
      "the newer, without a place",
      { ...visiting, geo },
      { ...visiting, street: "Kade" },
      { ...visiting, street: "Kade" },
    ],
    ["the newer, the same address", { ...visiting, geo }, visiting, visiting],
    ["the visiting one, with its place", { ...visiting, geo }, correspondence, { ...visiting, geo }],
    ["the visiting one, without a place", visiting, { ...correspondence, geo }, visiting],
    ["the shielded one", { ...visiting, geo }, { ...visiting, geo, isShielded: true }, hidden],
    ["the shielded one, if older", { ...visiting, geo, isShielded: true }, { ...visiting, geo }, hidden],
  ])("takes address and place from one origin: %s", (_name, old, young, shown) => {
    const { facts } = mergeFacts([
      sourcedFacts(1, { address: old }, older),
      sourcedFacts(1, { address: young }, newer),
    ]);
    expect(facts.address).toEqual(shown);
  });

  it("ignores the order of facts, except that the last of one origin and date wins", () => {
    const oneOfADate = arbitrarySourced.map((sourced) => [
      ...new Map(sourced.map((one) => [`${one.origin} ${Date.parse(one.asOf)}`, one])).values(),
    ]);
    fc.assert(
      fc.property(
        oneOfADate.chain((sourced) =>
          fc.tuple(fc.constant(sourced), fc.shuffledSubarray(sourced, { minLength: sourced.length })),
        ),
        ([sourced, shuffled]) => {
          expect(mergeFacts(shuffled)).toEqual(mergeFacts(sourced));
        },
      ),
    );
    for (const names of [
      ["Eerst", "Laatst"],
      ["Laatst", "Eerst"],
    ]) {
      const { facts } = mergeFacts(names.map((name) => sourcedFacts(1, { name }, older)));
      expect(facts.name).toBe(names[1]);
    }
  });

  it("takes each field from the newest origin that has it", () => {
    fc.assert(
      fc.property(arbitrarySourced.map(oneOfEachOriginAndDate), (sourced) => {
        const { facts } = mergeFacts(sourced);
        for (const field of ["legalForm", "rsin", "employees", "activities", "vatNumber"] as const) {
          const held = sourced.filter(
            (one) => isNewestOfItsOrigin(one, sourced) && one.facts[field] !== undefined,
          );
          const newest = Math.max(...held.map(({ asOf }) => Date.parse(asOf)));
          const allowed = held
            .filter(({ asOf }) => Date.parse(asOf) === newest)
            .map(({ facts }) => facts[field]);
          if (facts[field] === undefined) expect(Object.hasOwn(facts, field)).toBe(false);
          // For equal dates the order of names decides; see another test.
          else expect(allowed).toContainEqual(facts[field]);
        }
      }),
    );
  });

  it("takes the whole address from one origin, which becomes the source", () => {
    fc.assert(
      fc.property(arbitrarySourced, (sourced) => {
        const { facts, source } = mergeFacts(sourced);
        if (facts.address === undefined) return;
        const givers = sourced.filter(
          ({ origin, asOf }) => origin === source.kvk && asOf === source.cachedAt,
        );
        const shown = givers.map((giver) => cleanFacts(giver.facts).address);
        const hidden = shown.map(
          (address) => address && { ...hideShielded({ ...address, isShielded: true }), kind: address.kind },
        );
        expect([...shown, ...(facts.address.isShielded === true ? hidden : [])]).toContainEqual(
          facts.address,
        );
      }),
    );
  });

  it("prefers a visiting address to a newer correspondence address", () => {
    const { facts, source } = mergeFacts([
      sourcedFacts(1, { address: visiting }, older),
      sourcedFacts(1, { address: correspondence }, newer),
    ]);
    expect(facts.address).toEqual(visiting);
    expect(source).toEqual({ kvk: "gleif", cachedAt: older.asOf });
  });

  it("takes the newer of two addresses of the same kind", () => {
    const { facts } = mergeFacts([
      sourcedFacts(1, { address: visiting }, older),
      sourcedFacts(1, { address: { kind: "visiting", city: "Nieuwstad" } }, newer),
    ]);
    expect(facts.address).toEqual({ kind: "visiting", city: "Nieuwstad" });
  });

  it("shields an address if any origin does, leaving at most city and country", () => {
    const shielded: FactsAddress = {
      ...correspondence,
      postalCode: "1234 AB",
      country: "NL",
      isShielded: true,
    };
    const { facts, source } = mergeFacts([
      sourcedFacts(1, { address: shielded }, older),
      sourcedFacts(1, { address: visiting }, newer),
    ]);
    expect(facts.address).toEqual({
      kind: "correspondence",
      city: "Elders",
      country: "NL",
      isShielded: true,
    });
    expect(source.kvk).toBe("gleif");
  });

  it("shields company and main branch together across origins", () => {
    const branch = { branchNumber: "000000000001", isMain: true, isActive: true };
    const open = { street: "Dorpsstraat", houseNumber: "1", city: "Ons Dorp" };
    const shieldedAddress = { kind: "visiting", city: "Ons Dorp", isShielded: true } as const;
    const byAddress = mergeFacts([
      sourcedFacts(1, { address: shieldedAddress }, older),
      sourcedFacts(1, { branches: [{ ...branch, address: open }] }, newer),
    ]).facts;
    expect(byAddress.branches).toEqual([{ ...branch, address: { city: "Ons Dorp", isShielded: true } }]);
    const byBranch = mergeFacts([
      sourcedFacts(1, { address: visiting }, older),
      sourcedFacts(1, { branches: [{ ...branch, address: { isShielded: true } }] }, newer),
    ]).facts;
    expect(byBranch.address).toEqual({ kind: "visiting", city: "Ons Dorp", country: "NL", isShielded: true });
  });

  it("uses the origin of the name as the source when there is no address", () => {
    const merged = mergeFacts([
      sourcedFacts(1, { name: "Oude Naam" }, older),
      sourcedFacts(1, { name: "Nieuwe Naam" }, newer),
    ]);
    expect(merged.facts.name).toBe("Nieuwe Naam");
    expect(merged.source).toEqual({ kvk: "kvk-api", cachedAt: newer.asOf });
  });

  it("replaces an older record of the same origin completely", () => {
    const { facts } = mergeFacts([
      sourcedFacts(1, { rsin: "123456782", websites: ["www.oud.example"] }, { ...newer, asOf: older.asOf }),
      sourcedFacts(1, { employees: { total: 3 } }, newer),
    ]);
    expect(facts).toEqual(companyFacts(1, { employees: { total: 3 } }));
  });

  it("drops the date of deregistration if the newer origin reports the company as active", () => {
    const ended = { isActive: false, deregistrationDate: "2023-12-31" };
    const said = [sourcedFacts(1, ended, older), sourcedFacts(1, { isActive: true }, newer)];
    expect(mergeFacts(said).facts).toEqual(companyFacts(1));
    const later = [sourcedFacts(1, ended, newer), sourcedFacts(1, { isActive: true }, older)];
    expect(mergeFacts(later).facts).toEqual(companyFacts(1, ended));
  });

  it("prefers the KVK API among origins with the same date", () => {
    const same = { asOf: newer.asOf };
    const merged = mergeFacts([
      sourcedFacts(1, { name: "Volgens de lijst" }, { ...same, origin: "import:lijst" }),
      sourcedFacts(1, { name: "Volgens de KVK" }, { ...same, origin: "kvk-api" }),
      sourcedFacts(1, { name: "According to GLEIF" }, { ...same, origin: "gleif" }),
    ]);
    expect(merged.facts.name).toBe("Volgens de KVK");
  });

  it("rejects facts of two companies, and no facts", () => {
    expect(() => mergeFacts([sourcedFacts(1), sourcedFacts(2, {}, older)])).toThrow(RangeError);
    expect(() => mergeFacts([])).toThrow(RangeError);
  });
});

describe("cleanFacts", () => {
  it("removes the country of branches, reduces shielded ones to the city, and puts the main branch first", () => {
    const base = { isActive: true, isMain: false };
    const branches = [
      {
        ...base,
        branchNumber: "000000000001",
        address: { street: "Zijpad", city: "Ons Dorp", country: "NL" },
      },
      {
        ...base,
        branchNumber: "000000000002",
        address: { street: "Geheim", city: "Elders", isShielded: true as const },
      },
      { ...base, branchNumber: "000000000003", address: { country: "NL" } },
      { ...base, branchNumber: "000000000004", isMain: true },
    ];
    expect(cleanFacts(companyFacts(1, { branches })).branches).toEqual([
      { ...base, branchNumber: "000000000004", isMain: true },
      { ...base, branchNumber: "000000000001", address: { street: "Zijpad", city: "Ons Dorp" } },
      { ...base, branchNumber: "000000000002", address: { city: "Elders", isShielded: true } },
      { ...base, branchNumber: "000000000003" },
    ]);
  });
});

function isNewestOfItsOrigin(
  one: { origin: string; asOf: string },
  all: readonly { origin: string; asOf: string }[],
) {
  return all.every((other) => other.origin !== one.origin || Date.parse(other.asOf) <= Date.parse(one.asOf));
}

function oneOfEachOriginAndDate(all: readonly SourcedFacts[]): SourcedFacts[] {
  return [...new Map(all.map((one) => [`${one.origin} ${one.asOf}`, one])).values()];
}
