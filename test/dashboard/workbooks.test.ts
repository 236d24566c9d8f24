/** Workbooks that are uploaded, and given back with columns added. */
import { type Cell, openXlsx, readXlsx, writeXlsx as writeBook } from "hucre/xlsx";
import { describe, expect, it } from "vitest";
import type { FileRequest } from "../../dashboard/src/pages/try/list/job/completedFile.ts";
import { readTable } from "../../dashboard/src/pages/try/list/job/readTable.ts";
import { ADDED, completed, TITLES } from "./support/completed.ts";
import { rawWorkbook, textCell } from "./support/rawWorkbook.ts";

const row = (number: number, ...cells: readonly string[]) => `<row r="${number}">${cells.join("")}</row>`;
const HEAD = row(1, textCell("A1", "Naam"), textCell("B1", "Plaats"));
const COMPANY = row(2, textCell("A2", "Kwispel B.V."), textCell("B2", "Rommeldam"));
const READ = [
  ["Naam", "Plaats"],
  ["Kwispel B.V.", "Rommeldam"],
];

/** The first sheet of the completed workbook. */
async function completedSheet(bytes: Uint8Array, more?: Partial<FileRequest>) {
  const [sheet] = (await openXlsx(await completed(bytes, more), { readStyles: true })).sheets;
  if (sheet === undefined) throw new Error("the workbook has no sheet");
  return sheet;
}

describe("the sheet that is chosen", () => {
  const text = (...lines: readonly string[]) =>
    lines.map((line, at) => row(at + 1, textCell(`A${at + 1}`, line)));
  const long = Array.from({ length: 60 }, (_, at) => row(at + 3, textCell(`A${at + 3}`, "Verborgen B.V.")));

  it.each<readonly [string, Parameters<typeof rawWorkbook>[0], number]>([
    ["not hidden", [{ state: "hidden", rows: HEAD + COMPANY + long.join("") }, HEAD + COMPANY], 1],
    ["not very hidden", [{ state: "veryHidden", rows: HEAD + COMPANY }, HEAD + COMPANY], 1],
    ["hidden if no other holds anything", [{ state: "hidden", rows: HEAD + COMPANY }, ""], 0],
    ["not a cover", [text("Overzicht van debiteuren").join(""), HEAD + COMPANY], 1],
    [
      "not an explanation of many lines",
      [text(...Array<string>(9).fill("In dit blad staat uitleg")).join(""), HEAD + COMPANY],
      1,
    ],
    ["the one with more companies", [HEAD + COMPANY, HEAD + COMPANY + long.join("")], 1],
    ["the first of two alike", [HEAD + COMPANY, HEAD + COMPANY], 0],
    ["a text if there is nothing else", ["", text("Kwispel B.V.").join("")], 1],
  ])("is %s", async (_which, sheets, expected) => {
    const bytes = rawWorkbook(sheets);
    expect((await readTable(bytes)).sheet).toBe(expected);
    // Every sheet can be chosen.
    expect((await readTable(bytes, 1 - expected).catch(() => ({ sheet: 1 - expected }))).sheet).toBe(
      1 - expected,
    );
  });
});

describe("empty cells", () => {
  it.each([
    ["in the last column", HEAD.replace("</row>", '<c r="XFD1" s="0"/></row>') + COMPANY],
    ["in column IV", HEAD.replace("</row>", '<c r="IV1" s="0"></c></row>') + COMPANY],
    ["with an empty value", HEAD.replace("</row>", '<c r="XFD1"><v></v></c></row>') + COMPANY],
    ["in the last row", `${HEAD}${COMPANY}<row r="1048576"><c r="A1048576" s="0"/></row>`],
    ["in the last row and column", `${HEAD}${COMPANY}<row r="1048576"><c r="XFD1048576" s="0"/></row>`],
    ["in a row of its own without addresses", `${HEAD}${COMPANY}<row>${"<c/>".repeat(900)}</row>`],
  ])("far away do not count: %s", async (_where, rows) => {
    const bytes = rawWorkbook([rows]);
    expect((await readTable(bytes)).rows).toEqual(READ);
    const sheet = await completedSheet(bytes);
    expect(sheet.rows[0]).toEqual([...(READ[0] ?? []), ...TITLES]);
  });

  it.each<readonly [string, string, string]>([
    ["a prefix", "x:", `${HEAD}${COMPANY}`.replace(/<\/?/g, (start) => `${start}x:`)],
    ["cells and rows without addresses", "", `${HEAD}${COMPANY}`.replace(/ r="\w+"/g, "")],
    [
      "addresses in lower case",
      "",
      `${HEAD}${COMPANY}`.replace(/ r="\w+"/g, (address) => address.toLowerCase()),
    ],
  ])("do not hide cells in other notations: %s", async (_which, prefix, rows) => {
    const bytes = rawWorkbook([rows], { prefix });
    expect((await readTable(bytes)).rows).toEqual(READ);
    expect((await completedSheet(bytes)).rows[1]).toEqual([...(READ[1] ?? []), ...ADDED]);
  });

  it("of another sheet do not count", async () => {
    const bytes = rawWorkbook([HEAD + COMPANY, `${HEAD}<row r="1048576"><c r="XFD1048576" s="0"/></row>`]);
    expect((await readTable(bytes)).rows).toEqual(READ);
  });

  it("are followed by cells that count", async () => {
    const bytes = rawWorkbook([`${HEAD}${row(2, '<c r="A2" s="0"/>', textCell("B2", "Rommeldam"))}`]);
    expect((await readTable(bytes)).rows[1]).toEqual([null, "Rommeldam"]);
  });
});

describe("the results of formulas in a workbook given back", () => {
  it.each<readonly [string, string, unknown, Partial<Cell>]>([
    [
      "text",
      '<c r="A2" t="str"><f>UPPER("kwispel")</f><v>KWISPEL</v></c>',
      "KWISPEL",
      { formula: 'UPPER("kwispel")' },
    ],
    ["number", '<c r="A2"><f>1+1</f><v>2</v></c>', 2, { formula: "1+1" }],
    ["boolean", '<c r="A2" t="b"><f>1=1</f><v>1</v></c>', true, { formula: "1=1" }],
    ["error", '<c r="A2" t="e"><f>NA()</f><v>#N/A</v></c>', "#N/A", { formula: "NA()" }],
    ["date", '<c r="A2" s="1"><f>B2+30</f><v>46084</v></c>', new Date("2026-03-03"), { formula: "B2+30" }],
    [
      "shared formula",
      '<c r="A2" t="str"><f t="shared" ref="A2:A3" si="0">UPPER(B2)</f><v>EEN</v></c>',
      "EEN",
      { formula: "UPPER(B2)", formulaType: "shared", formulaRef: "A2:A3" },
    ],
    [
      "array formula",
      '<c r="A2" t="str"><f t="array" ref="A2">INDEX(B2:B3,1)</f><v>EEN</v></c>',
      "EEN",
      { formula: "INDEX(B2:B3,1)", formulaType: "array", formulaRef: "A2" },
    ],
    [
      "formula of a shared one",
      '<c r="A2" t="str"><f t="shared" si="0"/><v>TWEE</v></c>',
      "TWEE",
      { formulaSharedIndex: 0 },
    ],
  ])("are kept: %s", async (_what, cell, value, formula) => {
    const bytes = rawWorkbook([HEAD + row(2, cell, textCell("B2", "x"))], { formats: ["dd-mm-yyyy"] });
    const sheet = await completedSheet(bytes);
    expect(sheet.rows[1]).toEqual([value, "x", ...ADDED]);
    expect(sheet.cells?.get("1,0")).toMatchObject(formula);
  });

  it("are kept in the other sheets, too", async () => {
    const other = row(1, '<c r="A1" t="str"><f>B1</f><v>over</v></c>');
    const made = await completed(rawWorkbook([HEAD + COMPANY, other]), { sheet: 0 });
    expect((await readXlsx(made)).sheets[1]?.rows).toEqual([["over"]]);
  });

  it("and a formula without a result stays, on the left of the added columns", async () => {
    const bytes = rawWorkbook([HEAD + row(2, textCell("A2", "x"), '<c r="D2"><f>NOW()</f></c>')]);
    const sheet = await completedSheet(bytes);
    expect(sheet.cells?.get("1,3")?.formula).toBe("NOW()");
    expect(sheet.rows[1]?.slice(4)).toEqual(ADDED);
  });
});

describe("the added columns of a workbook", () => {
  const bold = { font: { bold: true } };
  const head = ["Naam", "Plaats"];
  const rows = [head, ["Kwispel B.V.", "Rommeldam"], ["Zwier", "Lutjebroek"], ["Totaal", null]];
  const cells = new Map([["0,1", { value: "Plaats", style: bold }]]);

  it("are typed: numbers, dates with a format, and numbers of companies as texts", async () => {
    const sheet = await completedSheet(await writeBook({ sheets: [{ name: "L", rows, cells }] }));
    expect(sheet.rows[1]).toEqual(["Kwispel B.V.", "Rommeldam", ...ADDED]);
    expect(sheet.cells?.get("1,4")?.style?.numFmt).toBe("dd-mm-yyyy");
    for (const column of [2, 3, 4]) expect(sheet.cells?.get(`0,${column}`)?.style?.font?.bold).toBe(true);
  });

  it("are typed in a workbook made from CSV", async () => {
    const sheet = await completedSheet(new TextEncoder().encode("naam;nummer\nKwispel;00040"));
    expect(sheet.rows).toEqual([
      ["naam", "nummer", ...TITLES],
      ["Kwispel", "00040", ...ADDED],
    ]);
  });

  it.each([
    ["A1:B3", "A1:E3"],
    ["$A$1:$B$3", "A1:E3"],
    ["A2:B3", "A2:B3"],
  ])("are within the filter of the header row: %s becomes %s", async (range, expected) => {
    const made = await completedSheet(
      await writeBook({ sheets: [{ name: "L", rows, autoFilter: { range } }] }),
    );
    expect(made.autoFilter?.range).toBe(expected);
  });

  it("are within the table of the list, without its totals", async () => {
    const table = {
      name: "Klanten",
      range: "A1:B4",
      columns: head.map((name) => ({ name })),
      showTotalRow: true,
    };
    const bytes = await writeBook({ sheets: [{ name: "L", rows, tables: [table] }] });
    const added = new Map([1, 2, 3].map((at) => [at, ADDED] as const));
    const sheet = await completedSheet(bytes, { added });
    expect(sheet.tables).toMatchObject([
      { range: "A1:E4", columns: [...head, ...TITLES].map((name) => ({ name })), showTotalRow: true },
    ]);
    expect(sheet.rows[2]?.slice(2)).toEqual(ADDED);
    expect(sheet.rows[3]?.slice(2).every((cell) => cell === null)).toBe(true);
  });

  it("leave a table elsewhere, and are on the right of merged cells of the list", async () => {
    const merges = [{ startRow: 0, startCol: 1, endRow: 0, endCol: 3 }];
    const table = { name: "Anders", range: "A3:B4", columns: [{ name: "Zwier" }, { name: "Lutjebroek" }] };
    const sheet = await completedSheet(
      await writeBook({ sheets: [{ name: "L", rows, merges, tables: [table] }] }),
    );
    expect(sheet.tables).toMatchObject([{ range: "A3:B4" }]);
    expect(sheet.rows[0]).toEqual(["Naam", "Plaats", null, null, ...TITLES]);
  });
});

describe("numbers with leading zeros by their format", () => {
  it.each([
    ["00000", 40, "00040"],
    ["00000000", 6_000_346, "06000346"],
    ["0000 000", 12_345, "0012 345"],
    ["000\\-00", 123, "001-23"],
    ["&quot;D&quot;000", 7, "D007"],
    ["00000;-00000", 40, "00040"],
    ["00000", 123_456, 123_456],
    ["00000", -40, -40],
    ["00000", 1.5, 1.5],
    ["0.00", 40, 40],
    ["#,##0", 40, 40],
    ["0", 40, 40],
    ["0%", 1, 1],
  ])("are read as the sheet shows them: %s", async (code, value, expected) => {
    const bytes = rawWorkbook(
      [`${HEAD}${row(2, textCell("A2", "x"), `<c r="B2" s="1"><v>${value}</v></c>`)}`],
      { formats: [code] },
    );
    expect((await readTable(bytes)).rows[1]).toEqual(["x", expected]);
    const sheet = await completedSheet(bytes);
    expect(sheet.rows[1]?.[1]).toBe(value);
  });
});
