import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COLUMNS, csvOf, type Entity, factsOf, molen, read } from "../../../test/kit/gleif.ts";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { ELF_CODES } from "../../company/legalForm.ts";
import { CUT_FAULT } from "../records/csv.ts";

describe("the LEI golden copy", () => {
  it("provides GLEIF's fields as given, and leaves others unknown", async () => {
    const [outcome] = await read(csvOf(molen));
    expect(outcome).toMatchObject({
      kind: "facts",
      line: 2,
      leftOut: [],
      sourced: { origin: "gleif", asOf: "2026-02-03T07:12:11.000Z" },
    });
    expect(await factsOf({})).toEqual({
      kvkNumber: "50000012",
      name: "MOLENWERKEN ROMMELDAM B.V.",
      isActive: true,
      legalForm: "BV",
      address: {
        street: "KORENMOLENLAAN",
        houseNumber: "194",
        postalCode: "1817 BC",
        city: "ROMMELDAM",
        country: "NL",
        kind: "visiting",
      },
      identifiers: { lei: "99990050000012MO0192", leiStatus: "issued", leiRenewalDue: "2027-02-03" },
    });
  });

  it("uses EntityStatus, not the status of the LEI", async () => {
    expect((await factsOf({ RegistrationStatus: "LAPSED" })).isActive).toBe(true);
    expect((await factsOf({ RegistrationStatus: "ISSUED", EntityStatus: "INACTIVE" })).isActive).toBe(false);
  });

  it.each(["", "ZZ", "NLD"])(
    "is Dutch by its postal code, in the country %j; an unknown one is counted",
    async (Country) => {
      expect((await factsOf({ Country })).address).toEqual((await factsOf({})).address);
      expect(await read(csvOf({ ...molen, Country }))).toMatchObject([
        { leftOut: Country === "ZZ" ? [{ reason: "a country that no rule maps" }] : [] },
      ]);
    },
  );

  it.each([
    { City: "1817 BC ROMMELDAM" },
    { City: "1817BC ROMMELDAM (NL)", PostalCode: "" },
    { City: "ROMMELDAM 1817 BC", PostalCode: "", Country: "" },
  ])("has no postal code in its city: %j", async (columns) => {
    expect((await factsOf(columns)).address).toEqual((await factsOf({})).address);
  });

  it.each(["ROMMELDAM (NL)", "ROMMELDAM, NEDERLAND", "ROMMELDAM NL"])(
    "has no country in its city: %s",
    async (City) => {
      expect((await factsOf({ City })).address).toEqual((await factsOf({})).address);
    },
  );

  it.each(["DUPLICATE", "ANNULLED", "CANCELLED", "PENDING_VALIDATION"])(
    "skips a record that was withdrawn (%s), so that it replaces none in force",
    async (RegistrationStatus) => {
      const withdrawn = { ...molen, RegistrationStatus, EntityStatus: "INACTIVE" };
      expect(await read(csvOf(molen, withdrawn))).toMatchObject([
        { kind: "facts", sourced: { facts: { isActive: true } } },
        { kind: "skipped", rejection: { reason: "a withdrawn LEI record" } },
      ]);
    },
  );

  it("counts rows of other registries separately from bad ones", async () => {
    const german = { ...molen, RegistrationAuthorityID: "RA000242", RegistrationAuthorityEntityID: "HRB 1" };
    const validated = { ...german, "Registration.ValidationAuthority.ValidationAuthorityID": "RA000463" };
    const outcomes = await read(csvOf(german, german, molen, validated, german));
    const outside = outcomes.map((outcome) => (outcome.kind === "outside" ? outcome.rows : 0));
    expect(outside.reduce((sum, rows) => sum + rows)).toBe(4);
    expect(outcomes.filter(({ kind }) => kind !== "outside")).toMatchObject([{ kind: "facts", line: 4 }]);
  });

  it.each([
    [{ RegistrationAuthorityEntityID: "" }, "has no KVK number"],
    [{ RegistrationAuthorityEntityID: "1234567" }, "the KVK number is not eight digits"],
    [{ RegistrationAuthorityEntityID: "NL50000012" }, "the KVK number is not eight digits"],
    [{ LegalName: " " }, "has no name"],
    [{ EntityStatus: "NULL" }, "EntityStatus is neither ACTIVE nor INACTIVE"],
    [
      { LastUpdateDate: "" },
      "carries no date, and a pipe has no time: pass --as-of DATE, the date of the data",
    ],
  ])("skips a row with %j and names the LEI", async (changes, reason) => {
    const [outcome] = await read(csvOf({ ...molen, ...changes }));
    expect(outcome).toMatchObject({ kind: "skipped", line: 2, rejection: { reason } });
  });

  it("maps every Dutch ELF code to its short code", async () => {
    for (const [code, form] of Object.entries(ELF_CODES)) {
      const { legalForm } = await factsOf({ EntityLegalFormCode: code });
      expect(legalForm, code).toBe(form === "none" ? undefined : form);
    }
  });

  it.each([
    [{ EntityLegalFormCode: "8888", OtherLegalForm: "Besloten Vennootschap" }, "BV"],
    [{ EntityLegalFormCode: "9999" }, undefined],
    [{ EntityLegalFormCode: "" }, undefined],
    [{ EntityLegalFormCode: "H0PO", LegalJurisdiction: "GB" }, "BUI"],
    [{ EntityLegalFormCode: "H0PO", LegalJurisdiction: "US-DE" }, "BUI"],
  ])("reads the legal form of %j as %s", async (changes, form) => {
    expect((await factsOf(changes)).legalForm).toBe(form);
  });

  it.each(["ZZZZ", "constructor"])(
    "counts an unknown legal form %s and an invalid postal code",
    async (code) => {
      const [outcome] = await read(csvOf({ ...molen, EntityLegalFormCode: code, PostalCode: "18170" }));
      expect(outcome).toMatchObject({
        leftOut: [
          { reason: "a Dutch postal code of another form", detail: '"18170"' },
          { reason: "a legal form that no rule maps", detail: `"${code}"` },
        ],
      });
    },
  );

  it.each([
    [{ PostalCode: "1817 BC" }, { postalCode: "1817 BC", houseNumber: "194" }],
    [{ PostalCode: "1817 bc" }, { postalCode: "1817 BC" }],
    [
      { FirstAddressLine: "Korenmolenlaan", "Entity.LegalAddress.AdditionalAddressLine.1": "194 A" },
      { houseNumber: "194A" },
    ],
    [{ FirstAddressLine: "Postbus 200" }, { street: "Postbus", houseNumber: "200", kind: "correspondence" }],
    [{ FirstAddressLine: "P.O. Box 200" }, { street: "Postbus", houseNumber: "200", kind: "correspondence" }],
  ])("reads the address of %j", async (changes, expected) => {
    expect((await factsOf(changes)).address).toMatchObject(expected);
  });

  it.each([
    [
      { FirstAddressLine: "Markweg", AddressNumber: "194 a" },
      { street: "Markweg", houseNumber: "194a" },
    ],
    [
      { FirstAddressLine: "Markweg 194 bis", AddressNumber: "194" },
      { street: "Markweg", houseNumber: "194-bis" },
    ],
    [
      { FirstAddressLine: "Plein 44", AddressNumber: "12" },
      { street: "Plein 44", houseNumber: "12" },
    ],
    [
      {
        FirstAddressLine: "c/o Vreemd Trust B.V.",
        "Entity.LegalAddress.AdditionalAddressLine.1": "Plein 44",
        AddressNumber: "12",
      },
      { street: "Plein 44", houseNumber: "12" },
    ],
    [
      { FirstAddressLine: "Postbus 200", AddressNumber: "12" },
      { street: "Postbus", houseNumber: "200", kind: "correspondence" },
    ],
    [
      { FirstAddressLine: "Markweg 194", AddressNumber: "" },
      { street: "Markweg", houseNumber: "194" },
    ],
    [
      { FirstAddressLine: "Markweg 194", AddressNumber: "n.v.t." },
      { street: "Markweg", houseNumber: "194" },
    ],
    [
      { FirstAddressLine: "Kade", AddressNumber: "12", AddressNumberWithinBuilding: "3" },
      { street: "Kade", houseNumber: "12-3" },
    ],
    [
      { FirstAddressLine: "Kade 12", AddressNumberWithinBuilding: "-3.04" },
      { street: "Kade", houseNumber: "12-3.04" },
    ],
    [
      { FirstAddressLine: "Kade 12-3", AddressNumber: "12", AddressNumberWithinBuilding: "3" },
      { street: "Kade", houseNumber: "12-3" },
    ],
    [
      { FirstAddressLine: "Kade", AddressNumber: "12.0" },
      { street: "Kade", houseNumber: "12" },
    ],
    [{ FirstAddressLine: "Kade 12 unit 3.04" }, { street: "Kade", houseNumber: "12" }],
    [
      { FirstAddressLine: "Postbus 90.801", AddressNumberWithinBuilding: "3" },
      { street: "Postbus", houseNumber: "90801", kind: "correspondence" },
    ],
    [
      { FirstAddressLine: "Postbus 200", "Entity.LegalAddress.AdditionalAddressLine.1": "Kade 12" },
      { street: "Kade", houseNumber: "12", kind: "visiting" },
    ],
    [{ FirstAddressLine: "Mill Road", AddressNumber: "12", Country: "GB" }, { street: "Mill Road 12" }],
    [{ FirstAddressLine: "12 Mill Road", AddressNumber: "12", Country: "GB" }, { street: "12 Mill Road" }],
  ])("reads a house number from its own column: %j", async (changes, expected) => {
    expect((await factsOf(changes)).address).toMatchObject(expected);
  });

  it("marks a fund", async () => {
    const outcomes = await read(
      csvOf({ ...molen, EntityCategory: "FUND" }, { ...molen, EntityCategory: "GENERAL" }),
    );
    expect(outcomes.map((outcome) => outcome.kind === "facts" && outcome.sourced.isFund)).toEqual([
      true,
      undefined,
    ]);
  });

  it("detects a truncated last row, wherever it ends", async () => {
    const text = csvOf(molen, { ...molen, RegistrationAuthorityEntityID: "50000021" });
    const second = text.lastIndexOf("\r\n") + 2;
    for (let end = second + 1; end < text.length; end++) {
      // The last cell is empty, so a truncated row cannot be distinguished from a complete one.
      if (end === text.length - '""'.length) continue;
      const outcomes = await read(text.slice(0, end));
      expect(outcomes.at(-1), text.slice(second, end)).toMatchObject({
        kind: "skipped",
        line: 3,
        rejection: { reason: CUT_FAULT },
      });
    }
    expect(await read(text)).toMatchObject([{ kind: "facts" }, { kind: "facts" }]);
  });

  it("keeps a foreign legal address as such", async () => {
    const abroad = {
      FirstAddressLine: "12 Mill Road",
      City: "Millingford",
      Country: "GB",
      PostalCode: "TW16 7BP",
    };
    expect((await factsOf(abroad)).address).toEqual({
      street: "12 Mill Road",
      city: "Millingford",
      country: "GB",
      kind: "visiting",
    });
  });

  it.each([
    ["kvk,naam\n1,x\n", /lacks the column LEI\. Expected is GLEIF's/],
    ["", /it has no header/],
    [csvOf(molen).replaceAll("EntityStatus", "Status"), /lacks the column Entity\.EntityStatus/],
  ])("rejects another table", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

const GLEIF = sharedPath("data/gleif");

describeWith(shared(GLEIF), "the real columns and entities", () => {
  it("include the columns of the fixture", () => {
    const list: unknown = JSON.parse(readFileSync(`${GLEIF}/lei2-csv-columns.json`, "utf8"));
    expect(list).toMatchObject({ columns: expect.arrayContaining([...COLUMNS]) });
  });

  it("yield the addresses of the eight entities", async () => {
    const lines = readFileSync(`${GLEIF}/dutch-entities.bods.jsonl`, "utf8").trim().split("\n");
    const entities = lines.map((line): Entity => {
      const address =
        /"address":"([^"]*)","postCode":"([^"]*)","country":\{"name":"[^"]*","code":"(..)"/.exec(line);
      const [street = "", ...rest] = (address?.[1] ?? "").split(", ");
      return {
        ...molen,
        LegalName: /"recordDetails".*?"name":"([^"]*)"/.exec(line)?.[1] ?? "",
        RegistrationAuthorityEntityID: /"id":"([0-9]{8})"/.exec(line)?.[1] ?? "",
        FirstAddressLine: street,
        City: rest[0] ?? "",
        PostalCode: address?.[2] ?? "",
        Country: address?.[3] ?? "",
      };
    });
    const outcomes = await read(csvOf(...entities));
    const found = outcomes.flatMap((outcome) =>
      outcome.kind === "facts" ? [outcome.sourced.facts.address] : [],
    );
    expect(
      found.map((address) => [address?.street, address?.houseNumber, address?.postalCode, address?.country]),
    ).toEqual([
      ["MARKWEG", "194", "3198 NB", "NL"],
      ["Kruseman van Eltenweg", "1", "1817 BC", "NL"],
      ["Kruseman van Eltenweg", "1", "1817 BC", "NL"],
      ["KRUSEMAN VAN ELTENWEG", "1", "1817 BC", "NL"],
      ["D'ARCYWEG", "76", "3198 NA", "NL"],
      ["D'ARCYWEG", "76", "3198 NA", "NL"],
      ["D'ARCYWEG", "76", "3198 NA", "NL"],
      ["Chertsey Road", undefined, undefined, "GB"],
    ]);
  });
});
