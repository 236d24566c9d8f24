import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf, leftOutOf, profile, visiting } from "../../test/kit/kvkProfile.ts";
import { mapBasisprofiel } from "./map.ts";

describe("a Basisprofiel", () => {
  it("is mapped to all its facts", () => {
    expect(factsOf(profile)).toEqual({
      kvkNumber: "50000012",
      name: "Bakkerij De Gouden Korenaar B.V.",
      isActive: true,
      address: {
        street: "Korenmolenlaan",
        houseNumber: "17M",
        postalCode: "1034 WL",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      },
      tradingNames: ["Bakkerij De Gouden Korenaar", "Korenaar Catering"],
      legalForm: "BV",
      registrationDate: "2011-03-14",
      startDate: "2011-01-01",
      statutoryName: "Bakkerij De Gouden Korenaar B.V.",
      rsin: "123456782",
      nonMailing: true,
      employees: { total: 12 },
      mainBranchNumber: "000050000012",
      websites: ["www.korenaar.example"],
      activities: [
        { sbiCode: "01241", description: "Teelt van appels en peren", isMain: false },
        { sbiCode: "1071", description: "Vervaardiging van brood", isMain: true },
      ],
    });
    expect(leftOutOf(profile)).toEqual([]);
  });

  it.each([12, "12", "12.0", " 12 "])("reads whole numbers in any form: %j", (totaalWerkzamePersonen) => {
    expect(factsOf({ ...profile, totaalWerkzamePersonen }).employees).toEqual({ total: 12 });
  });

  it.each(["4711", "47.11", "4711.0", 47_110])("reads SBI codes as a table's: %j", (sbiCode) => {
    const { activities } = factsOf({ ...profile, sbiActiviteiten: [{ sbiCode, indHoofdactiviteit: "Ja" }] });
    expect(activities).toEqual([{ sbiCode: sbiCode === 47_110 ? "47110" : "4711", isMain: true }]);
  });

  it.each([50_000_012, "5000 0012", "50000012.0"])("has the KVK number %j", (kvkNummer) => {
    expect(factsOf({ ...profile, kvkNummer }).kvkNumber).toBe("50000012");
  });

  it("has full-time and part-time employees if all work at the main branch", () => {
    const { hoofdvestiging } = profile._embedded;
    const withMain = (main: object, own: object = {}) =>
      factsOf({
        ...profile,
        ...own,
        _embedded: { ...profile._embedded, hoofdvestiging: { ...hoofdvestiging, ...main } },
      }).employees;
    const split = { voltijdWerkzamePersonen: 9, deeltijdWerkzamePersonen: 3 };
    const whole = { total: 12, fullTime: 9, partTime: 3 };
    expect(withMain({ ...split, totaalWerkzamePersonen: 12 })).toEqual(whole);
    expect(withMain({}, split)).toEqual(whole);
    // Others work at other branches, so the numbers of the main branch do not apply to the company.
    expect(withMain({ ...split, totaalWerkzamePersonen: 11 })).toEqual({ total: 12 });
    expect(withMain(split)).toEqual({ total: 12 });
    expect(withMain({ ...split, totaalWerkzamePersonen: 12 }, { totaalWerkzamePersonen: undefined })).toBe(
      undefined,
    );
    expect(withMain({ totaalWerkzamePersonen: 12, voltijdWerkzamePersonen: 0 })).toEqual({
      total: 12,
      fullTime: 0,
    });
  });

  it("without a branch uses the owner's address and an empty list of branches", () => {
    const owner = { rsin: "123456782", rechtsvorm: "Vereniging van Eigenaars", adressen: [visiting] };
    const { handelsnamen: _, totaalWerkzamePersonen: __, ...rest } = profile;
    for (const links of [{ links: [{ rel: "self" }] }, { links: undefined, _links: { self: {} } }]) {
      const facts = factsOf({ ...rest, ...links, _embedded: { eigenaar: owner } });
      expect(facts).toMatchObject({
        address: { street: "Korenmolenlaan" },
        tradingNames: [],
        branches: [],
        branchCount: 0,
      });
      expect(facts).not.toHaveProperty("mainBranchNumber");
      expect(facts).not.toHaveProperty("employees");
    }
    expect(factsOf({ ...rest, links: undefined, _embedded: { eigenaar: owner } })).not.toHaveProperty(
      "branches",
    );
  });

  it.each([
    ["20240101", "2024-01-01"],
    ["20150600", undefined],
    ["20150000", undefined],
    ["00000000", undefined],
    ["2024-01-01", "2024-01-01"],
    ["20240231", undefined],
    ["", undefined],
  ])("reads the date %j as %s", (text, day) => {
    expect(factsOf({ ...profile, formeleRegistratiedatum: text }).registrationDate).toBe(day);
    expect(factsOf({ ...profile, materieleRegistratie: { datumAanvang: text } }).startDate).toBe(day);
  });

  it.each([
    ["datumEinde", { ...profile, materieleRegistratie: { datumEinde: "20241231" } }, "2024-12-31"],
    ["datumEinde in part", { ...profile, materieleRegistratie: { datumEinde: "20240000" } }, undefined],
    [
      "datumUitschrijving",
      { ...profile, _embedded: { ...profile._embedded, eigenaar: { datumUitschrijving: "20241231" } } },
      "2024-12-31",
    ],
  ])("is inactive with %s, including its branches", (_what, ended, day) => {
    const facts = factsOf(ended, []);
    expect(facts.isActive).toBe(false);
    expect(facts.deregistrationDate).toBe(day);
    expect(facts.branches).toMatchObject([{ isActive: false }]);
  });

  it.each([
    ["99991231", undefined, []],
    ["20991231", "2099-12-31", []],
    ["00000000", undefined, [/only partly known/]],
    [20240000, undefined, [/only partly known/], false],
    [20241231, "2024-12-31", [], false],
    ["onbekend", undefined, [/unexpected form/], false],
  ] as [unknown, string | undefined, RegExp[], boolean?][])(
    "with an end of %j",
    (end, day, reasons, isActive = true) => {
      const branch = { vestigingsnummer: "000050000099", materieleRegistratie: { datumEinde: end } };
      for (const ended of [
        { ...profile, materieleRegistratie: { datumEinde: end } },
        { ...profile, _embedded: { ...profile._embedded, eigenaar: { datumUitschrijving: end } } },
      ]) {
        const facts = factsOf(ended, [{ vestigingsnummer: "000050000099" }]);
        expect(facts.isActive).toBe(isActive);
        expect(facts.deregistrationDate).toBe(day);
        expect(facts.branches?.map((one) => one.isActive)).toEqual([isActive, isActive]);
        expect(leftOutOf(ended)).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
      }
      expect(factsOf(profile, [branch]).branches?.map((one) => one.isActive)).toEqual([true, isActive]);
    },
  );

  it("is inactive when the business or its owner has ended", () => {
    const eigenaar = { datumUitschrijving: "20241231" };
    const facts = factsOf({
      ...profile,
      materieleRegistratie: { datumEinde: "20991231" },
      _embedded: { ...profile._embedded, eigenaar },
    });
    expect(facts).toMatchObject({ isActive: false, deregistrationDate: "2024-12-31" });
  });

  it("has no legal form for an unmapped text, which is reported", () => {
    const strange = { ...profile, _embedded: { eigenaar: { rechtsvorm: "Dorpsgenootschap" } } };
    expect(factsOf(strange)).not.toHaveProperty("legalForm");
    expect(leftOutOf(strange)).toEqual(["a legal form that no rule maps"]);
    const forming = { ...profile, _embedded: { eigenaar: { rechtsvorm: "Rechtspersoon in oprichting" } } };
    expect(factsOf(forming)).not.toHaveProperty("legalForm");
    expect(leftOutOf(forming)).toEqual([]);
  });

  it("keeps and reports an RSIN that fails the elfproef", () => {
    const odd = { ...profile, _embedded: { eigenaar: { rsin: "992340594" } } };
    expect(factsOf(odd).rsin).toBe("992340594");
    expect(leftOutOf(odd)).toEqual(["an RSIN that fails the elfproef (kept all the same)"]);
  });

  it("is rejected without KVK number or name, and with a number that may have lost a zero", () => {
    expect(factsOf({ ...profile, kvkNummer: 50000012 }).kvkNumber).toBe("50000012");
    expect(mapBasisprofiel({ ...profile, kvkNummer: 1234567 })).toEqual({
      reason: "kvkNummer is a number that lost its leading zeros",
      detail: '"1234567"',
      deviation: { path: "kvkNummer", kind: "number" },
    });
    expect(mapBasisprofiel({ ...profile, kvkNummer: "5000001" })).toMatchObject({
      reason: "kvkNummer has an unexpected form",
    });
    expect(mapBasisprofiel({ kvkNumber: "50000012" })).toEqual({
      reason: "no kvkNummer: not a Basisprofiel",
    });
    expect(mapBasisprofiel({ kvkNummer: "50000012" })).toEqual({ reason: "the profile has no name" });
    expect(mapBasisprofiel({ fout: [{ code: "IPD0005", omschrijving: "…" }] })).toEqual({
      reason: "an error answer of KVK, not a profile",
      detail: "IPD0005",
    });
    for (const value of [null, [], "x", 1])
      expect(mapBasisprofiel(value)).toEqual({ reason: "not a JSON object" });
  });

  it("omits each field with an unexpected form and keeps the others", () => {
    const changed = {
      ...profile,
      indNonMailing: "misschien",
      totaalWerkzamePersonen: -1,
      statutaireNaam: { nl: "x" },
      handelsnamen: "x",
      sbiActiviteiten: [
        { sbiCode: 1071 },
        { sbiCode: "A" },
        "x",
        { sbiCode: "01.241", indHoofdactiviteit: "Ja" },
      ],
      _embedded: { hoofdvestiging: [], eigenaar: { rsin: 12345678, adressen: [visiting, null] } },
    };
    expect(factsOf(changed)).toEqual({
      kvkNumber: "50000012",
      name: profile.naam,
      isActive: true,
      address: factsOf(profile).address,
      registrationDate: "2011-03-14",
      startDate: "2011-01-01",
      activities: [{ sbiCode: "01241", isMain: true }],
    });
    expect(leftOutOf(changed).toSorted()).toEqual(
      [
        "indNonMailing has an unexpected form",
        "totaalWerkzamePersonen has an unexpected form",
        "statutaireNaam has an unexpected form",
        "handelsnamen has an unexpected form",
        "sbiActiviteiten[].sbiCode has an unexpected form",
        "sbiActiviteiten[].sbiCode is not an SBI code",
        "an item of sbiActiviteiten has an unexpected form",
        "_embedded.hoofdvestiging has an unexpected form",
        "_embedded.eigenaar.rsin is a number that lost its leading zeros",
        "an item of _embedded.eigenaar.adressen has an unexpected form",
      ].toSorted(),
    );
  });

  it("never throws", () => {
    const paths = JSON.stringify(profile).match(/"[a-zA-Z_]+":/g) ?? [];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), fc.jsonValue(), (key, value, vestigingen) => {
        const broken: unknown = JSON.parse(JSON.stringify(profile), (name, kept) =>
          `"${name}":` === key ? value : kept,
        );
        const mapped = mapBasisprofiel(broken, vestigingen);
        if ("facts" in mapped) expect(mapped.facts.kvkNumber).toMatch(/^[0-9]{8}$/);
      }),
    );
  });
});
