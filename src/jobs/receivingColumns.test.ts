/** Which columns of a list are read: the clearest heading, then the values below other headings. */
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { unpackRow } from "./matchRow.ts";
import { type ListForm, receiveList } from "./receiving.ts";

async function received(body: string, form: ListForm = "csv") {
  const { numbers, columns } = await receiveList(Readable.from([Buffer.from(body)]), form, "match");
  const rows = numbers.map(unpackRow);
  const fields = columns?.used.map(({ column, field }) => `${column}=${field}`);
  return { rows, used: fields, unused: columns?.unused };
}

/** The query of the first row. */
async function queryOf(body: string, form?: ListForm) {
  const [row] = (await received(body, form)).rows;
  return row !== undefined && "query" in row ? row.query : row?.error;
}

const KWAST = { name: "Kwast B.V." };
const DIJK = { street: "Dijk", houseNumber: "8", postalCode: "4321 ZY", city: "Zwamdorp" };

describe("the name of a company", () => {
  it.each([
    "Bedrijf;Naam\nKwast B.V.;P. Proef",
    "Naam;Bedrijfsnaam\nP. Proef;Kwast B.V.",
    "Contactpersoon;Relatie\nP. Proef;Kwast B.V.",
    "Naam;Klant\nP. Proef;Kwast B.V.",
    "Gegevens;Land\nKwast B.V.;NL",
    "Naam;Debiteur\nP. Proef;Kwast B.V.",
    "Naam;Crediteur\nP. Proef;Kwast B.V.",
    "Naam;Leverancier\nP. Proef;Kwast B.V.",
    "Naam;Afnemer\nP. Proef;Kwast B.V.",
    "Name,Customer\nP. Proef,Kwast B.V.",
    "Name,Supplier\nP. Proef,Kwast B.V.",
    "Name,Vendor\nP. Proef,Kwast B.V.",
    "Account Name,Name\nKwast B.V.,P. Proef",
    "Naam organisatie;Naam\nKwast B.V.;P. Proef",
    "Debiteur;Naam\n10432;Kwast B.V.\n10433;Brug",
    "Klant;Naam\n;Kwast B.V.\n;Brug",
    "Naam;Telefoon\nKwast B.V.;0201234567",
    "Handelsnaam;Contact\nKwast B.V.;P. Proef",
    "Onze relaties;Plaatsing;KvK\nKwast B.V.;ja;\nBrug N.V.;nee;60000012",
  ])("is in the column that names it most clearly: %j", async (csv) => {
    expect(await queryOf(csv)).toMatchObject(KWAST);
  });

  it("is not a person where the company is missing: such a row is free", async () => {
    const { rows, unused } = await received("Naam;Bedrijf\nP. Proef;Kwast B.V.\nJ. Test;\nK. Mal;Brug N.V.");
    expect(rows).toMatchObject([{ query: KWAST }, { error: { code: "INVALID_REQUEST" } }, { query: {} }]);
    expect(unused).toEqual(["Naam"]);
  });
});

describe("the address", () => {
  it.each([
    "straat;huisnummer;postcode;plaats\nDijk;8;4321 ZY;Zwamdorp",
    "bezoekadres_straat;bezoekadres_huisnummer;bezoekadres_postcode;bezoekadres_plaats\nDijk;8;4321 ZY;Zwamdorp",
    "Vestigingsadres - Straat;Vestigingsadres - Huisnr;Vestigingsadres - Postcode;Vestigingsadres - Plaats\nDijk;8;4321ZY;Zwamdorp",
    "factuuradres straat;factuuradres huisnummer;factuuradres postcode;factuuradres plaats\nDijk;8;4321 ZY;Zwamdorp",
    "Straat (bezoekadres);Nummer;Postcode (bezoekadres);Plaats (bezoekadres)\nDijk;8;4321 ZY;Zwamdorp",
    "BillingStreet;BillingPostalCode;BillingCity\nDijk 8;4321 ZY;Zwamdorp",
    "Mailing Street;Mailing Zip/Postal Code;Mailing City\nDijk 8;4321 ZY;Zwamdorp",
    "Adres;Postcode / Plaats\nDijk 8;4321 ZY Zwamdorp",
    "Adres;Postcode;Plaats\nDijk 8;4321 ZY;Zwamdorp",
    "Adres;PC + plaats\nDijk 8;4321ZY Zwamdorp",
    "Straat;Nr.;Postcode;Woonplaats\nDijk;8;4321 ZY;Zwamdorp",
    "Straat + nr;PC;Vestigingsplaats\nDijk 8;4321 ZY;Zwamdorp",
    "Volledig adres\nDijk 8, 4321 ZY Zwamdorp",
    "Locatie\nDijk 8, 4321 ZY Zwamdorp",
    "postadres straat;postadres huisnummer;postadres postcode;postadres plaats;bezoekadres straat;bezoekadres huisnummer;bezoekadres postcode;bezoekadres plaats\nPostbus;1;1111 AA;Elders;Dijk;8;4321 ZY;Zwamdorp",
    "bezoekadres;bezoekadres postcode;bezoekadres plaats;postadres postcode;postadres plaats\nDijk 8;4321 ZY;Zwamdorp;1111 AA;Elders",
    "straat;huisnummer;postcode;plaats;factuuradres straat;factuuradres postcode\nDijk;8;4321 ZY;Zwamdorp;Kade;1111 AA",
  ])("is read from the headings of one address, the visiting address first: %j", async (csv) => {
    const [header = "", row = ""] = csv.split("\n");
    expect(await queryOf(`${header};Naam\n${row};Kwast B.V.`)).toEqual({ ...KWAST, ...DIJK });
  });

  it("is a street, with its number, in a column Adres without a city", async () => {
    const { used } = await received("Naam;Adres;Plaats\nKwast;Dijk 8;Zwamdorp\nBrug;Kade 2a;Zwamdorp");
    expect(used).toEqual(["Naam=name", "Adres=street", "Plaats=city"]);
  });

  it.each([
    "Vestigingsadres - Plaats",
    "bezoekplaats",
    "Factuuradres plaats",
    "Plaats",
    "Woonplaats",
    "Correspondentieadres: plaats",
  ])("may be a city alone: %s", async (heading) =>
    expect(await queryOf(`Naam;${heading}\nKwast;Zwamdorp`)).toEqual({ name: "Kwast", city: "Zwamdorp" }),
  );

  it("is never mixed from two addresses", async () => {
    const csv = "naam;bezoekadres straat;postadres postcode;postadres plaats\nKwast;Dijk 8;1111 AA;Elders";
    expect(await queryOf(csv)).toEqual({ name: "Kwast", street: "Dijk", houseNumber: "8" });
    expect((await received(csv)).unused).toEqual(["postadres postcode", "postadres plaats"]);
  });
});

describe("the numbers", () => {
  it.each([
    "Nummer;Naam;KvK-nummer\n60000024;Kwast B.V.;60000012",
    "KvK nr. contactpersoon;KvK-nummer;Naam\n60000024;60000012;Kwast B.V.",
    "KvK;Dossiernummer;Naam\nja;60000012;Kwast B.V.",
    "KvK;KvK;Naam\n;60000012;Kwast B.V.\n;60000024;Brug",
    "Inschrijving KvK (8 cijfers);Naam\n60000012;Kwast B.V.",
    "Nr. HR;Naam\n50000012;Kwast B.V.\n50000020;Brug",
    "Registratie;Naam\n60000012;Kwast B.V.\n60000024;Brug\n;Molen",
  ])("are in the clearest column: %j", async (csv) => {
    expect(await queryOf(csv)).toMatchObject({
      ...KWAST,
      kvkNumber: expect.stringMatching(/^60000012$|^50000012$/),
    });
  });

  it("of debtors are not KVK numbers, whatever their length", async () => {
    const { rows, unused } = await received(
      "Dossier klant;Relaties;Naam\n60000011;60000012;Kwast\n60000013;60000014;Brug",
    );
    expect(rows).toMatchObject([{ query: { name: "Kwast" } }, { query: { name: "Brug" } }]);
    expect(rows.some((row) => "query" in row && row.query.kvkNumber !== undefined)).toBe(false);
    expect(unused).toEqual(["Dossier klant", "Relaties"]);
  });

  it.each([
    "Debiteurnr.",
    "Klantnummer",
    "Relatiecode",
    "Code",
    "Nr.",
    "Nummer",
    "Klant-ID",
    "Crediteurnummer",
    "Leverancierscode",
    "Relatie",
    "Debiteur",
  ])("under the heading %s are the caller's ids", async (heading) => {
    const { rows, used } = await received(`${heading};Naam\n0017;Kwast\n0018;Brug`);
    expect(rows).toMatchObject([{ id: "0017", query: { name: "Kwast" } }, { id: "0018" }]);
    expect(used).toEqual([`${heading}=id`, "Naam=name"]);
  });
});

describe("every list says which columns were read", () => {
  it("of CSV, also by their values, and not the others", async () => {
    const csv = [
      "Naam;Omschrijving;PC;Woonplek;Btw;Web;Opmerking;",
      "Kwast;Kozijnen;4321 ZY;Zwamdorp;;www.kwast.example;let op;x",
      "Brug;Verf;4321 ZX;Zwamdorp;NL123456782B01;brug.example;;",
    ].join("\n");
    const { used, unused } = await received(csv);
    expect(used).toEqual(["Naam=name", "PC=postalCode", "Woonplek=city", "Btw=vatNumber", "Web=website"]);
    expect(unused).toEqual(["Omschrijving", "Opmerking"]);
  });

  it("of JSON lines with mixed fields", async () => {
    const lines =
      '{"naam":"Kwast","kleur":"rood"}\n{"bedrijf":"Brug","plaats":"Zwamdorp"}\n"Molen"\n\n{"kleur":"x"}';
    const { rows, used, unused } = await received(lines, "jsonl");
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5]);
    expect(used).toEqual(["naam=name", "bedrijf=name", "plaats=city"]);
    expect(unused).toEqual(["kleur"]);
    expect((await received('"Molen"', "jsonl")).used).toBeUndefined();
  });

  it("of 1,000 columns, with short names", async () => {
    const header = Array.from({ length: 999 }, (_, nth) => `${nth} ${"x".repeat(60)}`);
    const { used, unused } = await received(`naam;${header.join(";")}\nKwast${";Zwamdorp".repeat(999)}`);
    expect(used).toEqual(["naam=name"]);
    expect([unused?.length, unused?.every((name) => name.length <= 60)]).toEqual([100, true]);
  });
});

const U = undefined;

describe("the row of a result is the row of the file", () => {
  it.each<[string, ListForm, string, readonly (string | undefined)[]]>([
    [
      "one column with empty lines",
      "csv",
      "naam\nKwast\n\nBrug\n\n\nMolen\n\n\n",
      ["Kwast", U, "Brug", U, U, "Molen"],
    ],
    ["CRLF", "csv", "naam\r\n\r\nKwast\r\n \r\nBrug\r\n", [U, "Kwast", U, "Brug"]],
    ["CR alone", "csv", "naam\rKwast\r\rBrug\r", ["Kwast", U, "Brug"]],
    ["rows of delimiters", "csv", "naam;plaats\n;\nKwast;X\n ; \nBrug;Y\n;\n;\n", [U, "Kwast", U, "Brug"]],
    ["JSON lines", "jsonl", '"Kwast"\n\n{"name":"Brug"}\n\n\n', ["Kwast", U, "Brug"]],
    ["a line above the header", "csv", "sep=;\nnaam;plaats\n\nKwast;X\n", [U, "Kwast"]],
    [
      "more rows than the sample",
      "csv",
      `naam\n${"\nx".repeat(70)}\nKwast`,
      [U, ...Array<string>(70).fill("x"), "Kwast"],
    ],
  ])("%s", async (_what, form, text, names) => {
    const { rows } = await received(text, form);
    expect(rows.map((row) => ("query" in row ? row.query.name : undefined))).toEqual([...names]);
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, at) => at + 1));
    for (const row of rows) if ("error" in row) expect(row.error.message).toBe("the row is empty");
  });

  it("and a list of empty rows is refused", async () => {
    await expect(received("naam;plaats\n;\n\n;\n")).rejects.toThrow("the list is empty");
  });
});

describe("a quoted cell holds a line break only in a row of the right width", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "a quote typed for an apostrophe",
      `naam;plaats\n"t Kwetsje;R\nMolen;Z\n"n Kwast;R\nBrug;R\n`,
      [`"t Kwetsje`, "Molen", `"n Kwast`, "Brug"],
    ],
    [
      "a pair of them that ends a cell",
      `naam;plaats\n"t Kwetsje;R\nMolen;Z\nBrug";R\nKwast;R\n`,
      [`"t Kwetsje`, "Molen", 'Brug"', "Kwast"],
    ],
    [
      "one that ends a row",
      `naam;plaats\n"t Kwetsje;R\nMolen;"Z"\nBrug;R\n`,
      [`"t Kwetsje`, "Molen", "Brug"],
    ],
    ["a line break in a name", `naam;plaats\n"Kwast\nInkoop";R\nBrug;R\n`, ["Kwast, Inkoop", "Brug"]],
    ["a line break in the last cell", `naam;plaats\nKwast;"R\nNL"\nBrug;R\n`, ["Kwast", "Brug"]],
    [
      "empty cells behind the last column",
      `naam;plaats\n"Kwast\nInkoop";R;;\nBrug;R\n`,
      ["Kwast, Inkoop", "Brug"],
    ],
    [
      "a heading of two lines",
      `"Naam\nrelatie";plaats\nKwast;R\n"Brug\nInkoop";R\n`,
      ["Kwast", "Brug, Inkoop"],
    ],
    ["CR alone", `naam;plaats\r"t Kwetsje;R\rMolen;Z\r`, [`"t Kwetsje`, "Molen"]],
    ["quotes doubled in a quoted cell", `naam;plaats\n"De ""Kwast""";R\n`, ['De "Kwast"']],
  ])("%s", async (_what, csv, names) => {
    const { rows } = await received(csv);
    expect(rows.map((row) => ("query" in row ? row.query.name : row.error))).toEqual(names);
  });
});

it("a long cell fails its row alone, with its line", async () => {
  const { rows } = await received(
    `naam;notitie\nKwast;x\nBrug;${"é".repeat(40_000)}\nMolen;${"x".repeat(60_000)}\nVeer;z\n`,
  );
  expect(rows).toMatchObject([
    { row: 1, query: { name: "Kwast" } },
    { row: 2, error: { message: "line 3 is longer than 65536 bytes: shorten it, or send fewer columns" } },
    { row: 3, query: { name: "Molen" } },
    { row: 4, query: { name: "Veer" } },
  ]);
  const json = await received(`"Kwast"\n{"name":"${"x".repeat(200_000)}"}\n"Brug"`, "jsonl");
  expect(json.rows).toMatchObject([
    { query: {} },
    { row: 2, error: {} },
    { row: 3, query: { name: "Brug" } },
  ]);
});

it("values that are none, and labels of sums, are free", async () => {
  const names = ["(verplicht)", "-", "#N/B", "0", "n.v.t.", "Totaal", "Subtotaal", "Kwast"];
  const { rows } = await received(`naam;plaats\n${names.map((name) => `${name};\n`).join("")}`);
  expect(rows.map((row) => "query" in row)).toEqual([false, false, false, false, false, false, false, true]);
});
