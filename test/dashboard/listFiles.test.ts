/** Files of lists: reading, refusals with their texts, and writing. */
import { openXlsx, readXlsx, writeXlsx as writeBook } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import { addedColumns } from "../../dashboard/src/pages/try/list/job/addedColumns.ts";
import type { Answer } from "../../dashboard/src/pages/try/list/job/answers.ts";
import { writeCsv, writeXlsx } from "../../dashboard/src/pages/try/list/job/completedFile.ts";
import { readTable } from "../../dashboard/src/pages/try/list/job/readTable.ts";
import type { ListRow } from "../../dashboard/src/pages/try/list/job/source.ts";
import type { RefusedFile } from "../../dashboard/src/pages/try/list/job/table.ts";
import { zipOf } from "../kit/zip.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const refusalOf = (bytes: Uint8Array) =>
  readTable(bytes).then(
    () => "read",
    (error: { reason?: RefusedFile }) => error.reason,
  );

/** Returns an archive whose directory declares a wrong size for its entry. */
function lying(size: number): Buffer {
  const zip = zipOf({ "xl/workbook.xml": Buffer.alloc(1_000_000) });
  zip.writeUInt32LE(size, zip.indexOf("PK\x01\x02", 0, "latin1") + 24);
  return zip;
}

describe("a file", () => {
  it("is read by its content: UTF-8, Windows-1252, Excel's Unicode text, or a workbook", async () => {
    const rows = [
      ["café", "kvk"],
      ["één", "01234567"],
    ];
    const text = rows.map((row) => row.join("\t")).join("\r\n");
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    const book = await writeBook({
      sheets: [
        { name: "leeg", rows: [] },
        { name: "vol", rows },
      ],
    });
    for (const bytes of [bytesOf(text), Buffer.from(text, "latin1"), utf16, book]) {
      expect((await readTable(bytes)).rows).toEqual(rows);
    }
    expect(await readTable(book)).toMatchObject({ kind: "xlsx", sheets: ["leeg", "vol"], sheet: 1 });
  });

  it.each<[RefusedFile, () => Uint8Array]>([
    ["empty", () => bytesOf("")],
    ["empty", () => bytesOf("\r\n;;\r\n")],
    ["binary", () => Buffer.from("%PDF-1.7 and so on")],
    ["binary", () => Buffer.from([0x50, 0x00, 0x51, 0x00, 0x01])],
    ["binary", () => Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 37) % 31 || 1))],
    ["oldExcel", () => Buffer.from("d0cf11e0a1b11ae10000", "hex")],
    [
      "oldExcel",
      () =>
        Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
    ],
    [
      "damaged",
      () => zipOf({ mimetype: "application/vnd.oasis.opendocument.spreadsheet" }, { stored: true }),
    ],
    ["damaged", () => zipOf({ "letter.txt": "no workbook" })],
    ["damaged", () => zipOf({ "a.xml": "x" }).subarray(0, 40)],
    ["tooLarge", () => lying(0)],
    ["tooLarge", () => lying(400_000_000)],
    ["damaged", () => lying(10)],
    ["tooLarge", () => new Uint8Array(64 * 1_048_576 + 1)],
    ["tooLarge", () => bytesOf("50000001\n".repeat(100_100))],
    ["tooLarge", () => bytesOf(`kvk${";x".repeat(200)}\n50000001`)],
  ])("that is not a list is refused: %s", async (reason, made) => {
    expect(await refusalOf(made())).toBe(reason);
  });

  it("may end with a hundred thousand empty rows", async () => {
    expect((await readTable(bytesOf(`kvk\n50000001${"\n".repeat(100_000)}`))).rows).toHaveLength(2);
  });
});

const row = (more: Partial<ListRow>): ListRow => ({
  at: 1,
  text: "",
  key: undefined,
  why: undefined,
  ...more,
});
const COMPANY: Answer = {
  key: "50000001",
  result: {
    kvkNumber: "50000001",
    name: "=Formule B.V.",
    isActive: false,
    address: { street: "Kade", houseNumber: "17M", postalCode: "1234 AB", city: "Rijdam", country: "NL" },
    legalForm: "BV",
    tradingNames: ["Formule", "-Min"],
    activities: [
      { sbiCode: "4711", description: "Winkels", isMain: false },
      { sbiCode: "0111", description: "Graan", isMain: true },
    ],
    vat: { number: "NL123456782B01", status: "unvalidated", checksumValid: true, origin: "rsin" },
    identifiers: { euid: "NLNHR.50000001", lei: "99990051234567AB1209", leiStatus: "lapsed" },
  },
};

describe("the added columns of a row", () => {
  const dutch = addedColumns("everything", "nl", ["naam", "KvK"], false);
  const cellsOf = (of: ListRow, answer?: Answer) =>
    Object.fromEntries(dutch.cells(of, answer).map((cell, index) => [dutch.titles[index], cell]));

  it("hold the company in the reader's language, with distinct titles", () => {
    expect(cellsOf(row({ key: "50000001" }), COMPANY)).toEqual({
      "KVK-nummer": "50000001",
      "Naam (Opzoek)": "=Formule B.V.",
      Handelsnamen: "Formule | -Min",
      Straat: "Kade",
      Huisnummer: "17M",
      Postcode: "1234 AB",
      Plaats: "Rijdam",
      Land: "NL",
      Actief: "nee",
      Rechtsvorm: "besloten vennootschap (B.V.)",
      "Ingeschreven op": "",
      "Activiteiten (SBI)": "0111 Graan | 4711 Winkels",
      "Btw-nummer": "NL123456782B01",
      "Btw-nummer geldig": "nu niet vast te stellen",
      "Btw-controle": "Geen antwoord",
      EUID: "NLNHR.50000001",
      LEI: "99990051234567AB1209",
      "LEI-status": "verlopen: niet verlengd",
      Resultaat: "Gevonden",
      Toelichting: "",
    });
  });

  it("explain why a row has no company, and never report an outage as “no”", () => {
    const explanationOf = (of: Partial<ListRow>, code?: string) => {
      const cells = cellsOf(
        row(of),
        of.key === undefined || code === undefined ? undefined : { key: of.key, error: { code } },
      );
      return [cells["Resultaat"], cells["Toelichting"]];
    };
    const listRow = { key: "50000001" };
    expect(explanationOf(listRow, "NOT_FOUND")).toEqual([
      "Niet in het register",
      expect.stringContaining("kent geen bedrijf"),
    ]);
    for (const code of ["UPSTREAM_ERROR", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR", "SOMETHING_NEW"]) {
      expect(explanationOf(listRow, code)).toEqual([
        "Geen antwoord",
        expect.stringContaining("Dit zegt niets over het bedrijf"),
      ]);
    }
    expect(explanationOf(listRow)).toEqual([
      "Nog niet opgezocht",
      expect.stringContaining("niets in rekening"),
    ]);
    expect(explanationOf({ why: "phone" })).toEqual([
      "Overgeslagen",
      expect.stringContaining("telefoonnummer"),
    ]);
    expect(explanationOf({ why: "empty" })).toEqual(["Overgeslagen", expect.stringContaining("geen nummer")]);
  });
});

describe("the resulting file", () => {
  const head = ["naam", "kvk", "bedrag"];
  const added = new Map([[1, ["50000001", "=1+1"]]]);

  it("as CSV contains no executable formulas and leaves signed figures unchanged", () => {
    const rows = [head, ["@SUM(A1)", "50000001", "-3,50"]];
    const csv = writeCsv({ rows, headRow: 0, titles: ["KVK-nummer", "Naam"], added }, ";");
    expect(csv).toBe(
      `\uFEFFnaam;kvk;bedrag;KVK-nummer;Naam\r\n'@SUM(A1);50000001;"-3,50";50000001;'=1+1\r\n`,
    );
    const headless = writeCsv(
      { rows: [["50000001"]], headRow: undefined, titles: ["Naam"], added: new Map([[0, ["Veer"]]]) },
      ",",
    );
    expect(headless).toBe("\uFEFFA,Naam\r\n50000001,Veer\r\n");
  });

  it("as a workbook keeps the customer's formulas, styles and other sheets, and writes added formulas as text", async () => {
    const bold = { style: { font: { bold: true } } };
    const bytes = await writeBook({
      sheets: [
        { name: "Anders", rows: [["blijft"]] },
        {
          name: "Klanten",
          rows: [head, ["Veer", 50000001, 2]],
          cells: new Map([
            ["0,2", { value: "bedrag", type: "string", ...bold }],
            ["1,2", { value: 2, type: "formula", formula: "1+1", formulaResult: 2 }],
          ]),
        },
      ],
    });
    const table = await readTable(bytes, 1);
    const made = await writeXlsx(
      { rows: table.rows, headRow: 0, titles: ["KVK-nummer", "Naam"], added },
      { table, bytes },
      "Lijst",
    );
    const { sheets } = await openXlsx(made, { readStyles: true });
    expect(sheets.map(({ name }) => name)).toEqual(["Anders", "Klanten"]);
    expect(sheets[0]?.rows).toEqual([["blijft"]]);
    expect(sheets[1]?.rows).toEqual([
      [...head, "KVK-nummer", "Naam"],
      ["Veer", 50000001, 2, "50000001", "=1+1"],
    ]);
    expect(sheets[1]?.cells?.get("1,2")).toMatchObject({ formula: "1+1" });
    expect(sheets[1]?.cells?.get("1,4")?.formula).toBeUndefined();
    expect(sheets[1]?.cells?.get("0,4")?.style?.font?.bold).toBe(true);
  });

  it("from CSV becomes a workbook that keeps leading zeros and drops characters that XML forbids", async () => {
    const table = await readTable(bytesOf("kvk;x\n01234567;a"));
    const completed = {
      rows: table.rows,
      headRow: 0,
      titles: ["Naam"],
      added: new Map([[1, ["V\u0001eer\u{1F6A2}"]]]),
    };
    const { sheets } = await readXlsx(
      await writeXlsx(completed, { table, bytes: new Uint8Array() }, "Lijst"),
    );
    expect(sheets[0]?.name).toBe("Lijst");
    expect(sheets[0]?.rows).toEqual([
      ["kvk", "x", "Naam"],
      ["01234567", "a", "Veer\u{1F6A2}"],
    ]);
  });
});
