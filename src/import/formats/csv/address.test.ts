import { describe, expect, it } from "vitest";
import { factsOf, read, reasonsOf } from "../../../../test/kit/table.ts";

describe("the place of an address", () => {
  const HEADER = "kvk;naam;straat;huisnummer;plaats;afgeschermd;Breedtegraad;Lengtegraad;BAG-id";
  const geoOf = async (row: string) => (await factsOf(HEADER, `50000012;x;${row}`)).address?.geo;
  const location = { latitude: 52.096163, longitude: 5.113226 };
  const bagId = "0363010000000001";

  it.each([
    ["Kade;1;Rommeldam;;52.0961629;5.1132260;0363010000000001", { location, bagId }],
    ["Kade;1;Rommeldam;nee;52,096163;5,113226;", { location }],
    ["Kade;1;Rommeldam;;;;0363010000000001", { bagId }],
    ["Kade;1;Rommeldam;;52.096163;onbekend;", undefined],
    ["Kade;1;Rommeldam;;5.113226;52.096163;363010000000001", undefined],
    ["Kade;1;Rommeldam;ja;52.096163;5.113226;0363010000000001", undefined],
    ["Postbus;1;Rommeldam;;52.096163;5.113226;0363010000000001", undefined],
    [";;;;52.096163;5.113226;0363010000000001", undefined],
  ])("is read from its columns: %s", async (row, geo) => {
    expect(await geoOf(row)).toEqual(geo);
  });
});

describe("the address of a row", () => {
  const address = async (header: string, row: string) =>
    (await factsOf(`kvk;naam;${header}`, `50000012;x;${row}`)).address;

  it.each([
    [
      "straat;plaats",
      "Korenmolenlaan 17 a;Rommeldam",
      { street: "Korenmolenlaan", houseNumber: "17a", city: "Rommeldam", kind: "visiting" },
    ],
    ...[
      ["straat;huisnummer", "Kade;12.0"],
      ["straat;huisnummer", "Kade 12;12"],
      ["straat;huisnummer", "Kade;nr. 12"],
      ["straat;huisnummer;toevoeging", "Kade 12;12;"],
      ["straat;huisnummer;postbus", "Kade;12;90.801"],
      ["adres;huisnummer", "Kade;12"],
      ["adres;postbus", "Kade 12;200"],
    ].map(([header = "", row = ""]): [string, string, object] => [
      header,
      row,
      { street: "Kade", houseNumber: "12", kind: "visiting" },
    ]),
    [
      "straat;huisnummer;toevoeging",
      "Kade;12;3.0",
      { street: "Kade", houseNumber: "12-3", kind: "visiting" },
    ],
    [
      "straat;huisnummer;toevoeging",
      "Kade;12;+14",
      { street: "Kade", houseNumber: "12-14", kind: "visiting" },
    ],
    [
      "straat;huisnummer;huisletter",
      "Kade;12;bis",
      { street: "Kade", houseNumber: "12-bis", kind: "visiting" },
    ],
    ["straat;huisnummer;huisletter", "Kade;12 a;a", { street: "Kade", houseNumber: "12a", kind: "visiting" }],
    ["straat;huisnummer", "Kade;ong.", { street: "Kade", kind: "visiting" }],
    [
      "straat;huisnummer",
      "Postbus;90.801",
      { street: "Postbus", houseNumber: "90801", kind: "correspondence" },
    ],
    ["postbus", "Postbus 90 801", { street: "Postbus", houseNumber: "90801", kind: "correspondence" }],
    ...[
      ["straat;huisnummer", "Antwoordnummer;123"],
      ["straat;postbus", "Antw.nr. 123;200"],
      ["adres", "Antwoordnr 123"],
      ["postbus", "Antwoordnummer 123"],
    ].map(([header = "", row = ""]): [string, string, object] => [
      header,
      row,
      { street: "Antwoordnummer", houseNumber: "123", kind: "correspondence" },
    ]),
    [
      "straat;huisnummer;postbus",
      "Kade;12;Antwoordnummer 123",
      { street: "Kade", houseNumber: "12", kind: "visiting" },
    ],
    ["straat;huisnummer", "Plein 1940;12 a", { street: "Plein 1940", houseNumber: "12a", kind: "visiting" }],
    [
      "adres;postcode;plaats",
      "Korenmolenlaan 17;1034 WL;Rommeldam",
      {
        street: "Korenmolenlaan",
        houseNumber: "17",
        postalCode: "1034 WL",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      },
    ],
    [
      "adres",
      '"Korenmolenlaan 17, 1034 WL Rommeldam"',
      {
        street: "Korenmolenlaan",
        houseNumber: "17",
        postalCode: "1034 WL",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      },
    ],
    [
      "postbus;plaats",
      "200;Rommeldam",
      { street: "Postbus", houseNumber: "200", city: "Rommeldam", kind: "correspondence" },
    ],
    [
      "straat;huisnummer;postcode;plaats;land",
      "Rue de Tilsitt;53;75008;Parijs;Frankrijk",
      { street: "Rue de Tilsitt 53", city: "Parijs", country: "FR", kind: "visiting" },
    ],
    [
      "straat;postcode;plaats;afgeschermd",
      "Geheimlaan 1;1034WL;Rommeldam;ja",
      { city: "Rommeldam", country: "NL", isShielded: true, kind: "visiting" },
    ],
    [
      "adres;afgeschermd",
      '"53 Rue de Tilsitt 1, 75008 Parijs";wellicht',
      { isShielded: true, kind: "visiting" },
    ],
  ])("%s: %s", async (header, row, expected) => {
    expect(await address(header, row)).toEqual(expected);
  });

  it.each(["(NL)", "(Nederland)", "(NLD)", "(the Netherlands)", ", NL", " NL"])(
    "has no country in its city, shielded or not: Rommeldam %s",
    async (country) => {
      const city = `"Rommeldam ${country}"`;
      const open = { street: "Kade", houseNumber: "12", city: "Rommeldam", country: "NL", kind: "visiting" };
      expect(await address("adres;plaats", `Kade 12;${city}`)).toEqual(open);
      expect(await address("adres", `"Kade 12, 1234 AB Rommeldam ${country}"`)).toEqual({
        ...open,
        postalCode: "1234 AB",
      });
      expect(await address("adres;plaats;afgeschermd", `Kade 12;${city};ja`)).toEqual({
        city: "Rommeldam",
        country: "NL",
        isShielded: true,
        kind: "visiting",
      });
    },
  );

  it.each(["1234 AB Rommeldam", "1234AB, Rommeldam", "Rommeldam 1234 AB", '"Rommeldam, 1234 AB (NL)"'])(
    "has its postal code in the city's cell: %s",
    async (city) => {
      const expected = {
        street: "Kade",
        houseNumber: "12",
        postalCode: "1234 AB",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      };
      expect(await address("adres;plaats", `Kade 12;${city}`)).toEqual(expected);
      expect(await address("straat;huisnummer;plaats", `Kade;12;${city}`)).toEqual(expected);
    },
  );

  it("has the country after its city if there is no column for it", async () => {
    expect(await address("adres;postcode;plaats", "Kade 12;9000;Gent (België)")).toEqual({
      street: "Kade 12",
      city: "Gent",
      country: "BE",
      kind: "visiting",
    });
    for (const city of ["Hengelo (Ov)", "Nes (Fr)", "Bergen (NH)", "Beek (L)"])
      expect(await address("plaats", city)).toEqual({ city, kind: "visiting" });
  });

  it.each(["NLD", "Ned.", "N", "Nederland (NL)", "NL - Nederland", "Nl.", "onbekend land", "", "Holland"])(
    "is Dutch by its postal code, despite the country %j",
    async (country) => {
      const expected = {
        street: "Kade",
        houseNumber: "12",
        postalCode: "1234 AB",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      };
      expect(await address("adres;postcode;plaats;land", `Kade 12;1234AB;Rommeldam;${country}`)).toEqual(
        expected,
      );
      expect(await address("adres;land", `"Kade 12, 1234 AB Rommeldam";${country}`)).toEqual(expected);
    },
  );

  it.each([
    ["BEL", "BE"],
    ["Utopia", undefined],
  ])("is foreign with another postal code, in %s", async (land, country) => {
    expect(await address("adres;postcode;plaats;land", `Kade 12;9000;Gent;${land}`)).toEqual({
      street: "Kade 12",
      city: "Gent",
      ...(country !== undefined && { country }),
      kind: "visiting",
    });
  });

  it.each([
    "afgeschermd",
    "Adres afgeschermd",
    "afgeschermd adres",
    "Is afgeschermd?",
    "indicatie afgeschermd",
    "indAdresAfgeschermd",
    "adres_afgeschermd_ind",
    "Afscherming",
    "geheim adres",
    "Shielded address",
  ])("is shielded by a column named %s", async (column) => {
    const shielded = { city: "Rommeldam", isShielded: true, kind: "visiting" };
    expect(await address(`adres;plaats;${column}`, "Kade 12;Rommeldam;ja")).toEqual(shielded);
    expect(await address(`adres;plaats;${column}`, "Kade 12;Rommeldam;nee")).not.toHaveProperty("isShielded");
  });

  it("is not shielded if a column says so", async () => {
    expect(await address("adres;niet afgeschermd", "Kade 12;ja")).toMatchObject({ street: "Kade" });
  });

  it.each(["adres", "postadres", "volledig adres"])(
    "is the visiting address, not that of the column %s",
    async (column) => {
      expect(await address(`${column};bezoekadres`, "Postbus 200;Kade 12")).toMatchObject({ street: "Kade" });
    },
  );

  it.each([
    ["adres", '"Kade 12, 1234 AB Rommeldam"'],
    ["adres", "Rommeldam 1234 AB Kade 12"],
    ["adres", '"1234 AB Rommeldam, Kade 12"'],
    ["adres", '"Kade 12, Rommeldam"'],
    ["plaats", '"Kade 12, 1234 AB Rommeldam"'],
    ["plaats", "1234 AB Rommeldam"],
    ["plaats", "Kade 12 Rommeldam"],
    ["straat", "Kade 12 Rommeldam"],
    ["postcode", "1234 AB Rommeldam"],
    ["huisnummer", "12 Kade Rommeldam"],
    ["postbus", "Postbus 12 Rommeldam"],
  ])("hides a shielded one in the column %s that may contain more than a city: %s", async (column, cell) => {
    const { country: _country, ...shown } = (await address(`${column};afgeschermd`, `${cell};ja`)) ?? {};
    expect(shown).toEqual({ isShielded: true, kind: "visiting" });
  });
});

describe("a part of an address that no field holds", () => {
  const UNPLACED = "a part of an address that no field holds";
  it.each([
    ["adres", "Kade 12 (Rommeldam)", [UNPLACED]],
    ["plaats", "Rommeldam - achterom", [UNPLACED]],
    ["straat;huisnummer;toevoeging", "Kade;12;Zwaanhoeve", ["a value that is no houseNumberAddition"]],
    ["straat;huisnummer;toevoeging", "Kade;12;unit 7", []],
    ["adres", '"Kade 12, 4e verdieping"', []],
  ])("is counted, other than units and floors: %s: %s", async (header, row, reasons) => {
    expect(await reasonsOf(`kvk;naam;actief;${header}\n50000012;x;ja;${row}\n`)).toEqual([reasons]);
  });

  it("is not repeated in the report for a shielded one", async () => {
    const [outcome] = await read(
      "kvk;naam;actief;plaats;afgeschermd\n50000012;x;ja;Rommeldam, p/a Zwaan;ja\n",
    );
    expect(outcome).toMatchObject({ leftOut: [{ reason: UNPLACED }] });
    expect(JSON.stringify(outcome)).not.toContain("Zwaan");
  });
});

it.each([
  ["Straat + nr;Postcode / Plaats", "Kade 12;1234 AB Rommeldam"],
  ["Straatnaam & huisnummer;PC/woonplaats", "Kade 12;1234AB Rommeldam"],
  ["Street and number;Zip code / Town", "Kade 12;Rommeldam 1234 AB"],
  ["Adres, postcode en plaats", '"Kade 12, 1234 AB Rommeldam"'],
  ["Straat - postcode - woonplaats", '"Kade 12, 1234 AB Rommeldam"'],
  ["Bezoekadres + plaats", '"Kade 12, 1234 AB Rommeldam"'],
])("reads all that is in columns headed %s", async (header, row) => {
  expect((await factsOf(`kvk;naam;${header}`, `50000012;x;${row}`)).address).toEqual({
    ...{ street: "Kade", houseNumber: "12", postalCode: "1234 AB", city: "Rommeldam", country: "NL" },
    kind: "visiting",
  });
});
