/** Files that are made to exhaust the tab are refused before they are parsed, with a message that says what to do. */
import { describe, expect, it } from "vitest";
import { readTable } from "../../dashboard/src/pages/try/list/job/readTable.ts";
import type { RefusedFile } from "../../dashboard/src/pages/try/list/job/table.ts";
import { texts } from "../../dashboard/src/pages/try/list/texts.ts";
import { rawWorkbook as book } from "./support/rawWorkbook.ts";

/** Far above what the checks take on a busy machine, and far below what parsing takes. */
const MAX_MS = 20_000;
const MAX_ADDED_BYTES = 700_000_000;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const rows = (count: number, cell: (row: number) => string) =>
  Array.from({ length: count }, (_, index) => `<row r="${index + 1}">${cell(index + 1)}</row>`).join("");
const number = (address: string) => `<c r="${address}"><v>50000012</v></c>`;

describe("a file", () => {
  it.each<readonly [string, () => Uint8Array]>([
    ["a cell in column XFD of 50,000 rows", () => book([rows(50_000, (row) => number(`XFD${row}`))])],
    [
      "the first and the last cell of a sheet",
      () => book([`<row r="1">${number("A1")}</row><row r="1048576">${number("XFD1048576")}</row>`]),
    ],
    [
      "a cell in a late column, in lower case",
      () => book([rows(50_000, (row) => `<c s="1" r = 'xfd${row}'><v>1</v></c>`)]),
    ],
    [
      "a cell in a late column, with a prefix",
      () => book([rows(50_000, (row) => `<x:c r="XFD${row}"><x:v>1</x:v></x:c>`)], { prefix: "x:" }),
    ],
    ["cells without addresses", () => book([`<row>${"<c><v>1</v></c>".repeat(16_000)}</row>`.repeat(400)])],
    [
      "ten sheets of a million cells",
      () => book(Array<string>(10).fill(rows(1_000, (row) => number(`ALL${row}`)))),
    ],
    [
      "10 million empty shared texts",
      () => book([rows(1, () => '<c r="A1" t="s"><v>0</v></c>')], { shared: "<si/>".repeat(10_000_000) }),
    ],
    [
      "empty cells in ten sheets, each within the range of another sheet's values",
      () =>
        book(
          Array.from(
            { length: 10 },
            (_, nth) =>
              `<row r="1">${number("A1")}<c r="CV1"/></row>${nth === 0 ? `<row r="9000">${number("CV9000")}</row>` : '<row r="9000"><c r="CV9000"/></row>'}`,
          ),
        ),
    ],
    ["60 MB of semicolons", () => bytesOf(";".repeat(60_000_000))],
    ["60 MB of tabs and lines", () => bytesOf(`${"\t".repeat(150)}\n`.repeat(400_000))],
    ["60 MB of line ends", () => bytesOf("\n".repeat(60_000_000))],
    ["60 MB of carriage returns", () => bytesOf("\r".repeat(60_000_000))],
    ["60 MB of quotes", () => bytesOf('"'.repeat(60_000_000))],
    ["60 MB of quotes and commas", () => bytesOf('"",'.repeat(20_000_000))],
    ["3 million numbers on a line", () => bytesOf("12345678 ".repeat(3_000_000))],
    ["3 million numbers after a named separator", () => bytesOf(`sep=;\n${"12345678 ".repeat(3_000_000)}`)],
    [
      "a separator that is a letter, 60 million times",
      () => bytesOf(`sep=x\n${"x".repeat(199).concat("\n").repeat(300_000)}`),
    ],
    ["a text of 60 MB", () => bytesOf("a".repeat(60_000_000))],
  ])("with %s is refused as too large, before it is parsed", async (_what, made) => {
    const bytes = made();
    const before = process.memoryUsage().rss;
    const startedMs = performance.now();
    const refused = await readTable(bytes).then(
      ({ rows: read }) => `read ${read.length}`,
      (error: { reason?: RefusedFile }) => error.reason ?? String(error),
    );
    expect(refused).toBe("tooLarge");
    expect(performance.now() - startedMs).toBeLessThan(MAX_MS);
    expect(process.memoryUsage().rss - before).toBeLessThan(MAX_ADDED_BYTES);
  });

  it.each<readonly [string, () => Uint8Array, number]>([
    ["100,000 numbers on a line", () => bytesOf("12345678 ".repeat(100_000)), 100_000],
    ["100,000 numbers and commas on a line", () => bytesOf("12345678, ".repeat(100_000)), 100_000],
    ["quotes within quotes", () => bytesOf(`naam;kvk\n"${'""'.repeat(10_000)}";50000012`), 2],
    ["100,000 rows of 40 columns", () => bytesOf(`${"x;".repeat(39)}50000012\n`.repeat(100_000)), 100_000],
    [
      "a workbook with a cell in a late row",
      () => book([`<row r="1">${number("A1")}</row><row r="90000">${number("C90000")}</row>`]),
      90_000,
    ],
    [
      "3 million cells, and the order in which they are calculated",
      () =>
        book([`<row r="1">${number("A1")}</row><row r="60000">${number("AX60000")}</row>`], {
          parts: { "xl/calcChain.xml": '<calcChain><c r="AX60000" i="1"/></calcChain>' },
        }),
      60_000,
    ],
  ])("with %s is read", async (_what, made, expected) => {
    expect((await readTable(made())).rows).toHaveLength(expected);
  });
});

it("the message names the limit and what to do, in both languages", () => {
  const { en, nl } = texts;
  expect(en.refused.tooLarge).toMatch(/5 million cells.*Split the list, or keep only/);
  expect(nl.refused.tooLarge).toMatch(/5 miljoen cellen.*Splits de lijst of bewaar alleen/);
});
