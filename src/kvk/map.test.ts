import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf, leftOutOf, profile, visiting, withAddress } from "../../test/kit/kvkProfile.ts";
import { mapBasisprofiel } from "./map.ts";

describe("a Basisprofiel", () => {
  it("becomes all the facts that it holds", () => {
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

  it("tells who works full time and part time where all of them work at the main branch", () => {
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
    // Others work at other branches: what is said of the main branch is not said of the company.
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

  it("of a company without a branch takes the owner's address, and knows that there are no branches", () => {
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
    [{ huisnummer: 3, huisletter: undefined, huisnummerToevoeging: "A" }, "3-A"],
    [{ huisletter: "a", huisnummerToevoeging: "2" }, "17a-2"],
    [{ huisletter: "", huisnummerToevoeging: "" }, "17"],
    [{ huisletter: "  ", huisnummerToevoeging: "-bis" }, "17-bis"],
    [{ huisnummer: "17", toevoegingAdres: "t.o. de molen" }, "17M"],
    [{ huisnummer: 0 }, undefined],
  ])("writes the house number of %j as %s", (part, houseNumber) => {
    expect(factsOf(withAddress({ ...visiting, ...part })).address?.houseNumber).toBe(houseNumber);
  });

  it("writes a PO box as street and number, with or without the word", () => {
    const box = profile._embedded.hoofdvestiging.adressen[0];
    for (const straatnaam of ["Postbus", undefined]) {
      expect(factsOf(withAddress({ ...box, straatnaam })).address).toEqual({
        street: "Postbus",
        houseNumber: "200",
        postalCode: "1000 AE",
        city: "Rommeldam",
        country: "NL",
        kind: "correspondence",
      });
    }
  });

  it.each([
    [{ huisletter: "bis", huisnummerToevoeging: undefined }, "17-bis"],
    [{ huisletter: undefined, huisnummerToevoeging: "+19" }, "17-19"],
    [{ huisletter: undefined, huisnummerToevoeging: "– 19" }, "17-19"],
    [{ huisletter: undefined, huisnummerToevoeging: 2 }, "17-2"],
    [{ postbusnummer: 200 }, "17M"],
  ])("has the number of %j", (fields, houseNumber) => {
    expect(factsOf(withAddress({ ...visiting, ...fields })).address).toMatchObject({
      street: "Korenmolenlaan",
      houseNumber,
    });
  });

  it("reads volledigAdres where nothing else is given", () => {
    const text = { type: "bezoekadres", volledigAdres: visiting?.volledigAdres };
    expect(factsOf(withAddress(text)).address).toEqual(factsOf(profile).address);
  });

  it("keeps a foreign address as it was given", () => {
    const foreign = {
      type: "bezoekadres",
      indAfgeschermd: "Nee",
      straatHuisnummer: "53 Rue de Tilsitt",
      postcodeWoonplaats: "X-13501 Parijs",
      land: "Frankrijk",
    };
    expect(factsOf(withAddress(foreign)).address).toEqual({
      street: "53 Rue de Tilsitt",
      city: "X-13501 Parijs",
      country: "FR",
      kind: "visiting",
    });
    expect(factsOf(withAddress({ ...foreign, indAfgeschermd: "Ja" })).address).toEqual({
      country: "FR",
      isShielded: true,
      kind: "visiting",
    });
    expect(leftOutOf(withAddress({ ...visiting, postcode: "1034" }))).toEqual([
      "a Dutch postal code of another form",
    ]);
    expect(leftOutOf(withAddress({ ...foreign, land: "Utopia" }))).toEqual(["a country that no rule maps"]);
  });

  it("is Dutch by its postal code where the country is not understood, which is counted, in branches too", () => {
    const address = { ...visiting, land: "Onbekend land" };
    expect(factsOf(withAddress(address)).address).toEqual(factsOf(withAddress(visiting ?? {})).address);
    expect(leftOutOf(withAddress(address))).toEqual(["a country that no rule maps"]);
    const branch = { vestigingsnummer: "000050000099", adressen: [{ ...address, land: "Utopia" }] };
    expect(leftOutOf(profile, [branch])).toEqual(["a country that no rule maps"]);
    const inLines = {
      type: "bezoekadres",
      straatHuisnummer: "Kade 12",
      postcodeWoonplaats: "1234 AB Rommeldam",
    };
    for (const land of [undefined, "Nederland", "Utopia"]) {
      expect(factsOf(withAddress({ ...inLines, ...(land && { land }) })).address).toEqual({
        street: "Kade",
        houseNumber: "12",
        postalCode: "1234 AB",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      });
    }
  });

  it.each(["Ja", "ja", true, "J", "onbekend", {}])(
    "shows city and country at most when indAfgeschermd is %j",
    (flag) => {
      const facts = factsOf(withAddress({ ...visiting, indAfgeschermd: flag }));
      expect(facts.address).toEqual({ city: "Rommeldam", country: "NL", isShielded: true, kind: "visiting" });
      expect(JSON.stringify(facts)).not.toMatch(/Korenmolenlaan|1034/);
    },
  );

  it.each([
    { plaats: "Korenmolenlaan 17, 1034WL Rommeldam" },
    { plaats: "1034WL Rommeldam" },
    { plaats: "Rommeldam, Korenmolenlaan" },
    { plaats: undefined, volledigAdres: "Rommeldam 1034WL Korenmolenlaan 17" },
    { plaats: undefined, volledigAdres: "1034WL Rommeldam, Korenmolenlaan 17" },
    { plaats: undefined, postcodeWoonplaats: "1034WL Rommeldam" },
  ])("shows nothing of a shielded address whose city is perhaps more: %j", (fields) => {
    const facts = factsOf(withAddress({ ...visiting, ...fields, indAfgeschermd: "Ja" }));
    expect(facts.address).toMatchObject({ isShielded: true, kind: "visiting" });
    expect(JSON.stringify(facts.address)).not.toMatch(/Korenmolenlaan|1034|Rommeldam/);
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
  });

  it.each([
    ["datumEinde", { ...profile, materieleRegistratie: { datumEinde: "20241231" } }, "2024-12-31"],
    ["datumEinde in part", { ...profile, materieleRegistratie: { datumEinde: "20240000" } }, undefined],
    [
      "datumUitschrijving",
      { ...profile, _embedded: { ...profile._embedded, eigenaar: { datumUitschrijving: "20241231" } } },
      "2024-12-31",
    ],
  ])("is inactive with %s, and its branches with it", (_what, ended, day) => {
    const facts = factsOf(ended, []);
    expect(facts.isActive).toBe(false);
    expect(facts.deregistrationDate).toBe(day);
    expect(facts.branches).toMatchObject([{ isActive: false }]);
  });

  it.each([
    ["99991231", undefined, []],
    ["20991231", "2099-12-31", []],
    ["00000000", undefined, [/known in part only/]],
    [20240000, undefined, [/known in part only/], false],
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

  it("is over when the business or its owner has ended, whatever the other says", () => {
    const eigenaar = { datumUitschrijving: "20241231" };
    const facts = factsOf({
      ...profile,
      materieleRegistratie: { datumEinde: "20991231" },
      _embedded: { ...profile._embedded, eigenaar },
    });
    expect(facts).toMatchObject({ isActive: false, deregistrationDate: "2024-12-31" });
  });

  it("has no legal form where no rule maps the text, and says so", () => {
    const strange = { ...profile, _embedded: { eigenaar: { rechtsvorm: "Dorpsgenootschap" } } };
    expect(factsOf(strange)).not.toHaveProperty("legalForm");
    expect(leftOutOf(strange)).toEqual(["a legal form that no rule maps"]);
    const forming = { ...profile, _embedded: { eigenaar: { rechtsvorm: "Rechtspersoon in oprichting" } } };
    expect(factsOf(forming)).not.toHaveProperty("legalForm");
    expect(leftOutOf(forming)).toEqual([]);
  });

  it("keeps an RSIN that fails the elfproef and says so", () => {
    const odd = { ...profile, _embedded: { eigenaar: { rsin: "992340594" } } };
    expect(factsOf(odd).rsin).toBe("992340594");
    expect(leftOutOf(odd)).toEqual(["an RSIN that fails the elfproef (kept all the same)"]);
  });

  it("is refused without a KVK number or a name, and takes one that is a number only when no zero can be lost", () => {
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

  it("leaves out what came in another form, field by field, and keeps the rest", () => {
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
      activities: [{ sbiCode: "01241", isMain: true }],
    });
    expect(leftOutOf(changed).toSorted()).toEqual(
      [
        "indNonMailing has an unexpected form",
        "totaalWerkzamePersonen has an unexpected form",
        "statutaireNaam has an unexpected form",
        "handelsnamen has an unexpected form",
        "sbiActiviteiten[].sbiCode has an unexpected form",
        "sbiActiviteiten[].sbiCode is no SBI code",
        "an item of sbiActiviteiten has an unexpected form",
        "_embedded.hoofdvestiging has an unexpected form",
        "_embedded.eigenaar.rsin is a number that lost its leading zeros",
        "an item of _embedded.eigenaar.adressen has an unexpected form",
      ].toSorted(),
    );
  });

  it("never throws, whatever a field turns into", () => {
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
