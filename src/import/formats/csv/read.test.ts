import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../../test/kit/needs.ts";
import { factsOf, read, reasonsOf } from "../../../../test/kit/table.ts";
import { parseColumnMap } from "../../../company/table/columns.ts";

describe("a table", () => {
  it("is read by common column names", async () => {
    const header =
      "KVK-nummer;Bedrijfsnaam;Straat;Huisnummer;Huisletter;Toevoeging;Postcode;Plaats;Land;Rechtsvorm;RSIN;BTW-nummer;SBI;Actief;Datum inschrijving;Website;Aantal werknemers;Non-mailing";
    const row =
      "50000012;Bakkerij De Gouden Korenaar B.V.;Korenmolenlaan;17;M;2;1034wl;Rommeldam;Nederland;besloten vennootschap;123456782;NL1234.56.782.B01;01241, 1071;J;14-03-2011;www.korenaar.example;12;Nee";
    expect(await factsOf(header, row)).toEqual({
      kvkNumber: "50000012",
      name: "Bakkerij De Gouden Korenaar B.V.",
      isActive: true,
      address: {
        street: "Korenmolenlaan",
        houseNumber: "17M-2",
        postalCode: "1034 WL",
        city: "Rommeldam",
        country: "NL",
        kind: "visiting",
      },
      legalForm: "BV",
      rsin: "123456782",
      vatNumber: "NL123456782B01",
      activities: [
        { sbiCode: "01241", isMain: true },
        { sbiCode: "1071", isMain: false },
      ],
      registrationDate: "2011-03-14",
      websites: ["www.korenaar.example"],
      employees: { total: 12 },
      nonMailing: false,
    });
  });

  it("distinguishes full-time and part-time employees if it has columns for them", async () => {
    expect(
      (await factsOf("kvk,naam,Totaal werkzame personen,Voltijd,Deeltijd", "50000012,Bakkerij,12,9,3"))
        .employees,
    ).toEqual({ total: 12, fullTime: 9, partTime: 3 });
    expect((await factsOf("kvk,naam,employeesPartTime", "50000012,Bakkerij,3")).employees).toEqual({
      partTime: 3,
    });
    expect(await factsOf("kvk,naam,voltijd", "50000012,Bakkerij,")).not.toHaveProperty("employees");
  });

  it("needs only a number and a name, and leaves other fields unknown", async () => {
    const facts = await factsOf("kvkNumber,name,plaats", "50000012,Bakkerij,onbekend");
    expect(facts).toEqual({ kvkNumber: "50000012", name: "Bakkerij", isActive: true });
  });

  it("uses columns of --map, and ignores one that is mapped to nothing", async () => {
    const facts = await factsOf("Nr,Organisatie,naam,status", "50000012,Bakkerij,x,nieuw", {
      mapText: "kvkNumber=Nr,name=organisatie,isActive=",
    });
    expect(facts).toEqual({ kvkNumber: "50000012", name: "Bakkerij", isActive: true });
    await expect(read("nr,naam\n", { mapText: "kvkNumber=kvk" })).rejects.toThrow(
      'table.csv has no column "kvk"; it has "nr", "naam".',
    );
    expect(parseColumnMap("naam=organisatie")).toHaveProperty("problem");
  });

  it("uses a column of trading names only if it is not the name", async () => {
    expect(await factsOf("kvk,handelsnaam", "50000012,Korenaar")).toMatchObject({ name: "Korenaar" });
    expect(await factsOf("kvk,handelsnaam,naam", "50000012,Korenaar | Graan,Bakkerij")).toMatchObject({
      name: "Bakkerij",
      tradingNames: ["Korenaar", "Graan"],
    });
  });

  it.each([
    [
      "naam,plaats\n",
      /no column that is known to hold the kvkNumber; it has "naam", "plaats"\. Name it with --map/,
    ],
    ["kvk,plaats\n", /no column that is known to hold the name/],
    ["kvk,naam\n", /does not say which companies are active.*--assume-active/],
    ["", /no column that is known to hold the kvkNumber/],
    ['{"kvkNummer":"50000012"}\n', /is JSON, not a table/],
    [Array.from({ length: 300 }, (_, index) => `kolom${index}`).join(","), /"kolom29" and 270 more\./],
  ])("is rejected if no row could be used: %j", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("skips each bad row with a reason, and continues", async () => {
    const text = `kvk;naam;actief
;Zonder nummer;ja
1234567;Verloren nul;ja
123456789;Te lang;ja
50000012;;ja
50000012;Vreemd woord;misschien
50000012;Geen woord;
50000012;"Aanhaling" los;ja
50000012;Te;veel;cellen
50000012;Goed;nee
`;
    expect(await reasonsOf(text)).toEqual([
      "has no KVK number",
      "the KVK number has seven digits: a leading zero was lost (--pad-kvk-numbers gives it back)",
      "the KVK number is not eight digits",
      "has no name",
      "a status that is neither active nor inactive",
      "has no status (--assume-active takes such rows for active)",
      "a quote is not closed, or text follows a closing quote",
      "has another number of cells than the header",
      [],
    ]);
  });

  it("restores a lost zero only on request, and understands how spreadsheets keep it", async () => {
    expect((await factsOf("kvk,naam", "1234567,x", { padKvkNumbers: true })).kvkNumber).toBe("01234567");
    expect((await factsOf("kvk,naam", '"=""01234567""",x')).kvkNumber).toBe("01234567");
    expect(await reasonsOf("kvk,naam\n123456,x", { padKvkNumbers: true, assumeActive: true })).toEqual([
      "the KVK number is not eight digits",
    ]);
  });

  it.each([
    ["actief", "Ja", true],
    ["actief", "J", true],
    ["actief", "TRUE", true],
    ["actief", "1", true],
    ["status", "Ingeschreven", true],
    ["status", "uitgeschreven", false],
    ["status", "Beëindigd", false],
    ["status", "niet actief", false],
    ["isActive", "false", false],
    ["actief", "N", false],
  ])("reads %s = %s as %s", async (column, word, isActive) => {
    expect((await factsOf(`kvk,naam,${column}`, `50000012,x,${word}`)).isActive).toBe(isActive);
  });

  it("derives the status from a date of deregistration if there is no status", async () => {
    const header = "kvk,naam,datum_uitschrijving";
    expect(await factsOf(header, "50000012,x,31-12-2024")).toMatchObject({
      isActive: false,
      deregistrationDate: "2024-12-31",
    });
    expect(await factsOf(header, "50000012,x,")).toMatchObject({ isActive: true });
  });

  it.each([
    ["31-12-9999", { isActive: true }],
    ["01-01-2099", { isActive: true, deregistrationDate: "2099-01-01" }],
    ["00000000", { isActive: true }],
    ["00-00-0000", { isActive: true }],
    ["20150600", { isActive: false }],
    ["31-02-2015", { isActive: false }],
    ["01-01-2020", { isActive: false, deregistrationDate: "2020-01-01" }],
  ])("reads the date of deregistration %s", async (date, status) => {
    expect(await factsOf("kvk,naam,datum_uitschrijving", `50000012,x,${date}`)).toEqual({
      kvkNumber: "50000012",
      name: "x",
      ...status,
    });
  });

  it.each([
    [
      "ja",
      "31-12-2024",
      { isActive: false, deregistrationDate: "2024-12-31" },
      [/passed \(taken as ended\)/],
    ],
    ["ja", "20150600", { isActive: false }, [/no deregistrationDate/, /passed \(taken as ended\)/]],
    ["ja", "01-01-2099", { isActive: true, deregistrationDate: "2099-01-01" }, []],
    ["ja", "31-12-9999", { isActive: true }, []],
    ["ja", "00000000", { isActive: true }, [/no deregistrationDate/]],
    ["ja", "gisteren", { isActive: true }, [/no deregistrationDate/]],
    ["ja", "", { isActive: true }, []],
    ["nee", "31-12-2024", { isActive: false, deregistrationDate: "2024-12-31" }, []],
    ["nee", "31-12-9999", { isActive: false }, []],
    ["nee", "00000000", { isActive: false }, [/no deregistrationDate/]],
    ["nee", "01-01-2099", { isActive: false }, [/to come \(left out\)/]],
    ["", "31-12-2024", { isActive: false, deregistrationDate: "2024-12-31" }, []],
    ["", "01-01-2099", { isActive: true, deregistrationDate: "2099-01-01" }, []],
  ])(
    "ignores the status %j if it contradicts the date of deregistration %j, and counts it",
    async (word, date, status, reasons) => {
      const text = `kvk,naam,actief,datum_uitschrijving\n50000012,x,${word},${date}\n`;
      expect(await read(text)).toMatchObject([
        { sourced: { facts: { kvkNumber: "50000012", name: "x", ...status } } },
      ]);
      const [counted = []] = await reasonsOf(text);
      expect(counted).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
    },
  );

  it.each(["", "00000000", "31-12-9999"])(
    "does not assume an active company without a status, with the end %j",
    async (date) => {
      const text = `kvk,naam,actief,datum_uitschrijving\n50000012,x,,${date}\n`;
      expect(await read(text)).toMatchObject([
        { rejection: { reason: expect.stringContaining("has no status") } },
      ]);
    },
  );

  it("does not accept an end that is not a date", async () => {
    expect(await read("kvk,naam,datum_uitschrijving\n50000012,x,gisteren\n")).toMatchObject([
      { rejection: { reason: "has no status, and a date of deregistration that is no date" } },
    ]);
  });

  it("omits and counts values that it cannot parse, and never quotes a VAT number", async () => {
    const text =
      "kvk,naam,actief,postcode,rechtsvorm,rsin,btw,sbi,datum_inschrijving,land,website\n50000012,x,ja,12345,Dorpsgenootschap,12345,nl 0001,bakker,gisteren,Utopia,\n";
    const [outcome] = await read(text);
    expect(outcome).toMatchObject({
      kind: "facts",
      sourced: { facts: { kvkNumber: "50000012", name: "x", isActive: true } },
    });
    expect(await reasonsOf(text)).toEqual([
      [
        "a value that is no country",
        "a legal form that no rule maps",
        "a value that is no registrationDate",
        "a value that is no rsin",
        "a value that is no activities",
      ],
    ]);
    const vat = await read("kvk,naam,actief,btw\n50000012,x,ja,123456782B01\n");
    expect(vat).toMatchObject([{ leftOut: [{ reason: "a value that is no vatNumber" }] }]);
    expect(JSON.stringify(vat)).not.toContain("123456782");
  });
});

const SPONSORS = sharedPath("data/names/ind-sponsors.csv");

describeWith(shared(SPONSORS), "the names of the IND's sponsors", () => {
  it("are read completely", async () => {
    const outcomes = await read(readFileSync(SPONSORS, "utf8"), { assumeActive: true });
    expect(outcomes).toHaveLength(6_779);
    expect(outcomes.filter(({ kind }) => kind === "facts")).toHaveLength(6_779);
  });
});
