import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapBasisprofiel } from "./map.ts";

const RECORDED = "../shared/data/kvk/recorded";

/** A profile with everything that KVK sends of a company with branches; each test changes what it is about. */
const profile = {
  kvkNummer: "50000012",
  indNonMailing: "Ja",
  naam: "Bakkerij De Gouden Korenaar B.V.",
  formeleRegistratiedatum: "20110314",
  materieleRegistratie: { datumAanvang: "20110101" },
  totaalWerkzamePersonen: 12,
  statutaireNaam: "Bakkerij De Gouden Korenaar B.V.",
  handelsnamen: [
    { naam: "Korenaar Catering", volgorde: 1 },
    { naam: "Bakkerij De Gouden Korenaar", volgorde: 0 },
  ],
  sbiActiviteiten: [
    { sbiCode: "01241", sbiOmschrijving: "Teelt van appels en peren", indHoofdactiviteit: "Nee" },
    { sbiCode: "1071", sbiOmschrijving: "Vervaardiging van brood", indHoofdactiviteit: "Ja" },
  ],
  links: [{ rel: "self" }, { rel: "vestigingen" }],
  _embedded: {
    hoofdvestiging: {
      vestigingsnummer: "000050000012",
      kvkNummer: "50000012",
      eersteHandelsnaam: "Bakkerij De Gouden Korenaar",
      indHoofdvestiging: "Ja",
      adressen: [
        {
          type: "correspondentieadres",
          indAfgeschermd: "Nee",
          volledigAdres: "Postbus 200                         1000AE Rommeldam",
          straatnaam: "Postbus",
          postbusnummer: 200,
          postcode: "1000AE",
          plaats: "Rommeldam",
          land: "Nederland",
        },
        {
          type: "bezoekadres",
          indAfgeschermd: "Nee",
          volledigAdres: "Korenmolenlaan 17 M                         1034WL Rommeldam",
          straatnaam: "Korenmolenlaan",
          huisnummer: 17,
          huisletter: "M",
          postcode: "1034WL",
          plaats: "Rommeldam",
          land: "Nederland",
        },
      ],
      websites: ["www.korenaar.example", ""],
    },
    eigenaar: {
      rsin: "123456782",
      rechtsvorm: "BeslotenVennootschap",
      uitgebreideRechtsvorm: "Besloten vennootschap met gewone structuur",
    },
  },
};

const visiting = profile._embedded.hoofdvestiging.adressen[1];

function withAddress(...adressen: object[]) {
  const hoofdvestiging = { ...profile._embedded.hoofdvestiging, adressen };
  return { ...profile, _embedded: { ...profile._embedded, hoofdvestiging } };
}

function factsOf(value: unknown, vestigingen?: unknown) {
  const mapped = mapBasisprofiel(value, vestigingen);
  if ("reason" in mapped) throw new Error(mapped.reason);
  return mapped.facts;
}

function leftOutOf(value: unknown, vestigingen?: unknown) {
  const mapped = mapBasisprofiel(value, vestigingen);
  return "reason" in mapped ? [mapped.reason] : mapped.leftOut.map(({ reason }) => reason);
}

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
      employees: 12,
      mainBranchNumber: "000050000012",
      websites: ["www.korenaar.example"],
      activities: [
        { sbiCode: "01241", description: "Teelt van appels en peren", isMain: false },
        { sbiCode: "1071", description: "Vervaardiging van brood", isMain: true },
      ],
    });
    expect(leftOutOf(profile)).toEqual([]);
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
    expect(leftOutOf(withAddress({ ...foreign, land: "Utopia" }))).toEqual(["a country that no rule maps"]);
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

describe("the branches of a Basisprofiel", () => {
  const row = (number: string, more: object = {}) => ({
    vestigingsnummer: number,
    kvkNummer: "50000012",
    eersteHandelsnaam: `Korenaar ${number.slice(-2)}`,
    indHoofdvestiging: "Nee",
    indAdresAfgeschermd: "Nee",
    volledigAdres: "Molenstraat 3-A          3511BT Utrecht",
    ...more,
  });
  const main = row("000050000012", {
    indHoofdvestiging: "Ja",
    volledigAdres: "Korenmolenlaan 17 1034WL Rommeldam",
  });
  const list = {
    kvkNummer: "50000012",
    totaalAantalVestigingen: 2,
    vestigingen: [row("000050000099"), main],
  };
  const expected = [
    {
      branchNumber: "000050000012",
      name: "Korenaar 12",
      isMain: true,
      address: { street: "Korenmolenlaan", houseNumber: "17M", postalCode: "1034 WL", city: "Rommeldam" },
      isActive: true,
    },
    {
      branchNumber: "000050000099",
      name: "Korenaar 99",
      isMain: false,
      address: { street: "Molenstraat", houseNumber: "3-A", postalCode: "3511 BT", city: "Utrecht" },
      isActive: true,
    },
  ];

  it("come from the API's list or its array, the main one first, without country", () => {
    expect(factsOf(profile, list)).toMatchObject({ branches: expected, branchCount: 2 });
    expect(factsOf(profile, list.vestigingen).branches).toEqual(expected);
  });

  it("are unknown without a list, and hold the main branch even where the list forgot it", () => {
    expect(factsOf(profile)).not.toHaveProperty("branches");
    expect(factsOf(profile, [row("000050000099")]).branches).toMatchObject([
      { branchNumber: "000050000012", isMain: true },
      { branchNumber: "000050000099", isMain: false },
    ]);
  });

  it("may be whole Vestigingsprofielen, of which one may have ended", () => {
    const { volledigAdres: _, ...ended } = row("000050000099", {
      adressen: [{ ...visiting, straatnaam: "Molenstraat" }],
      materieleRegistratie: { datumEinde: "20251231" },
    });
    expect(factsOf(profile, [ended]).branches?.[1]).toMatchObject({
      address: { street: "Molenstraat", houseNumber: "17M" },
      isActive: false,
    });
  });

  it("show the city at most when shielded, and then the company's address shows no more", () => {
    const shielded = factsOf(profile, {
      ...list,
      vestigingen: list.vestigingen.map((one) => ({ ...one, indAdresAfgeschermd: "Ja" })),
    });
    expect(shielded.branches?.map(({ address }) => address)).toEqual([
      { city: "Rommeldam", isShielded: true },
      { city: "Utrecht", isShielded: true },
    ]);
    expect(shielded.address).toEqual({
      city: "Rommeldam",
      country: "NL",
      isShielded: true,
      kind: "visiting",
    });
    const onlyOther = factsOf(profile, [
      row("000050000099", { indAdresAfgeschermd: "Ja", volledigAdres: "53 Rue X, 75008 Parijs" }),
    ]);
    expect(onlyOther.branches?.[1]?.address).toEqual({ isShielded: true });
    expect(onlyOther.address?.street).toBe("Korenmolenlaan");
  });

  it("of another company are not taken, and a list that is too short is named", () => {
    expect(factsOf(profile, { ...list, kvkNummer: "50000021" })).not.toHaveProperty("branches");
    expect(leftOutOf(profile, { ...list, kvkNummer: "50000021" })).toEqual([
      "a list of branches of another company",
    ]);
    expect(factsOf(profile, { ...list, totaalAantalVestigingen: 9 }).branchCount).toBe(9);
    expect(leftOutOf(profile, { ...list, totaalAantalVestigingen: 9 })).toEqual([
      "the list of branches holds fewer than it says there are",
    ]);
  });
});

describe.skipIf(!existsSync(RECORDED))("every recorded profile (where ../shared/data is there)", () => {
  const body = (file: string): unknown => {
    const parsed: unknown = JSON.parse(readFileSync(`${RECORDED}/${file}`, "utf8"));
    return typeof parsed === "object" && parsed !== null && "body" in parsed ? parsed.body : parsed;
  };
  const files = existsSync(RECORDED) ? readdirSync(RECORDED).filter((file) => file.endsWith(".json")) : [];
  const profiles = files.filter(
    (file) => /basisprofiel/.test(file) && !/hoofdvestiging|_(404|500)__/.test(file),
  );

  it.each(profiles)("%s maps whole", (file) => {
    const facts = factsOf(body(file));
    expect(facts.kvkNumber).toMatch(/^[0-9]{8}$/);
    expect(facts.legalForm).toBeDefined();
    expect(facts.registrationDate).toMatch(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/);
    expect(facts.address?.postalCode).toMatch(/^[0-9]{4} [A-Z]{2}$/);
    expect(facts.address?.houseNumber).toBeDefined();
    expect(facts.activities?.filter(({ isMain }) => isMain)).toHaveLength(1);
    const known992340594 = "an RSIN that fails the elfproef (kept all the same)";
    expect(leftOutOf(body(file)).filter((reason) => reason !== known992340594)).toEqual([]);
  });

  it("there are at least eight of them", () => {
    expect(profiles.length).toBeGreaterThanOrEqual(8);
  });

  it("the letter that volledigAdres lacks is kept, and the names added in 2025 too", () => {
    expect(factsOf(body("basisprofiel-90006623-geoData.json"))).toMatchObject({
      address: { street: "Sint Jacobsstraat", houseNumber: "300a", postalCode: "3511 BT", city: "Utrecht" },
      websites: ["www.domeinnaam1.nl", "www.domeinnaam2.nl", "www.domeinnaam3.nl"],
      legalForm: "STI",
    });
    expect(factsOf(body("test_api_v1_basisprofielen_69599084__200__5924a1.json"))).toMatchObject({
      tradingNames: { length: 8 },
      activities: [{ sbiCode: "10110" }, { sbiCode: "10120" }, { sbiCode: "10130" }],
      legalForm: "EMZ",
    });
    expect(factsOf(body("test_api_v1_basisprofielen_90000749__200__7da582.json"))).toMatchObject({
      address: { street: "Blaauwweg", houseNumber: "163" },
      branches: [],
      legalForm: "VVE",
      rsin: "992340597",
    });
  });

  it("a list of five branches and a branch profile map whole", () => {
    const company = body("minbzk_test_input_basisprofiel.json");
    expect(factsOf(company, body("minbzk_test_input_vestigingen.json"))).toMatchObject({
      branchCount: 5,
      branches: [1, 2, 3, 4, 5].map((number) => ({
        branchNumber: `00000000000${number}`,
        isMain: number === 1,
        address: { street: "Straatnaam", houseNumber: String(number), city: "Amsterdam" },
      })),
    });
    const bv = { kvkNummer: "68750110", naam: "Test BV Donald" };
    const branch = body("test_api_v1_vestigingsprofielen_000037178598__200__72c499.json");
    expect(factsOf(bv, [branch]).branches).toEqual([
      {
        branchNumber: "000037178598",
        name: "Test BV Donald",
        isMain: true,
        address: { street: "Hizzaarderlaan", houseNumber: "3-A", postalCode: "8823 SJ", city: "Lollum" },
        isActive: true,
      },
    ]);
  });

  it("error answers, searches and old products are refused, never half read", () => {
    for (const file of files) {
      const mapped = mapBasisprofiel(body(file));
      if (/_(400|404|500)__/.test(file)) expect(mapped, file).toHaveProperty("reason");
      if (/zoeken|companies/.test(file)) expect(mapped, file).toHaveProperty("reason");
    }
  });
});
