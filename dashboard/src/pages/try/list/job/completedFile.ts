import type { Sheet } from "hucre/xlsx";
import { known } from "../../../../../../src/lib/values.ts";
import { csvText } from "../../../../language/csv.ts";
import { readTable } from "./readTable.ts";
import { type Cell, columnLetter, localText, type Rows, type Table, widthOf } from "./table.ts";

/** The customer's table and the added columns. */
export interface Completed {
  readonly rows: Rows;
  readonly headRow: number | undefined;
  readonly titles: readonly string[];
  /** The added cells by row index. Rows above the list and empty rows are absent. */
  readonly added: ReadonlyMap<number, readonly Cell[]>;
}

/** The file to download. */
export interface FileRequest extends Omit<Completed, "rows"> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sheet: number;
  readonly format: "xlsx" | "csv";
  /** The separator of CSV; with a semicolon, decimals and dates are Dutch. */
  readonly separator: "," | ";";
  /** The name of a sheet that has none. */
  readonly sheetName: string;
}

const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** Of an added column; in characters. */
const WIDTH = 20;
const DATE_FORMAT = "dd-mm-yyyy";
const DAY_MS = 86_400_000;
const RANGE = /^\$?([A-Z]+)\$?([0-9]+):\$?([A-Z]+)\$?([0-9]+)$/i;
/** The maximum length of a cell's text (Excel specifications and limits). */
const MAX_CHARACTERS = 32_767;
/** Characters that XML does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export async function writeCompleted({ bytes, sheet, ...request }: FileRequest): Promise<Blob> {
  const { format, separator, sheetName, ...added } = request;
  const table = await readTable(bytes, sheet);
  const completed = { ...added, rows: table.rows };
  if (format === "csv") return new Blob([writeCsv(completed, separator)], { type: "text/csv;charset=utf-8" });
  const written = await writeXlsx(completed, { table, bytes }, sheetName);
  return new Blob([new Uint8Array(written)], { type: XLSX_TYPE });
}

/** Writes CSV. Spreadsheets in a language with a decimal comma need a semicolon. */
export function writeCsv(table: Completed, separator: "," | ";"): string {
  const rows = completedRows(table).map((row) => row.map((cell) => localText(cell, separator === ";")));
  return csvText(rows, separator);
}

/** Returns all rows with the same width. A table without a header row gets one, with letters for its own columns. */
function completedRows({ rows, headRow, titles, added }: Completed): Cell[][] {
  const width = widthOf(rows);
  const blank = titles.map(() => null);
  const all = rows.map((row, at) => [
    ...Array.from({ length: width }, (_, column) => row[column] ?? null),
    ...(at === headRow ? titles : (added.get(at) ?? blank)),
  ]);
  if (headRow !== undefined) return all;
  return [[...Array.from({ length: width }, (_, column) => columnLetter(column)), ...titles], ...all];
}

/**
 * Writes a workbook. The customer's own workbook keeps its other sheets, formulas and styles, and gets columns on the
 * right. CSV, and a sheet without a header row, becomes a plain sheet.
 */
export async function writeXlsx(
  completed: Completed,
  { table, bytes }: { readonly table: Table; readonly bytes: Uint8Array },
  sheetName: string,
): Promise<Uint8Array> {
  const { headRow, titles, added } = completed;
  const { openXlsx, saveXlsx, writeXlsx: write } = await import("hucre/xlsx");
  if (table.kind !== "xlsx" || headRow === undefined) {
    const rows = completedRows(completed).map((row) => row.map(xlsxCell));
    const columns = (rows[0] ?? []).map(() => ({ width: WIDTH }));
    const name = table.sheets[table.sheet] || sheetName;
    return await write({ sheets: [{ name, rows, columns, freezePane: { rows: (headRow ?? 0) + 1 } }] });
  }
  const workbook = await openXlsx(bytes, { readStyles: true, ...known("range", table.range) });
  const sheet = workbook.sheets[table.sheet];
  if (sheet === undefined) throw new Error("the workbook has lost a sheet");
  const daysTo1970 = workbook.dateSystem === "1904" ? 24_107 : 25_569;
  // The library writes the results of formulas only if they are numbers.
  for (const cell of workbook.sheets.flatMap(({ cells }) => [...(cells?.values() ?? [])])) {
    const { value } = cell;
    cell.formulaResult = value instanceof Date ? value.getTime() / DAY_MS + daysTo1970 : value;
  }
  const width = widthFrom(sheet, completed.rows, headRow);
  const last = columnLetter(width + titles.length - 1);
  const written = new Map([...added, [headRow, titles] as const]);
  for (const table of sheet.tables ?? []) {
    const [range, , , right, bottom] = RANGE.exec(table.range ?? "") ?? [];
    // The totals of a table are part of its definition.
    if (table.showTotalRow === true) written.delete(Number(bottom) - 1);
    if (range === undefined || right !== columnLetter(width - 1)) continue;
    const wider = widened(range, headRow, last);
    if (wider !== range) table.columns.push(...titles.map((name) => ({ name })));
    table.range = wider;
  }
  if (sheet.autoFilter) sheet.autoFilter.range = widened(sheet.autoFilter.range, headRow, last);
  // Spreadsheets repeat the ranges of filters in a hidden name, which may be absent.
  workbook.namedRanges = workbook.namedRanges?.filter(({ name }) => name !== "_xlnm._FilterDatabase") ?? [];
  for (const [at, cells] of written) {
    const row = sheet.rows[at] ?? [];
    while (row.length < width) row.push(null);
    row.splice(width, cells.length, ...cells.map(xlsxCell));
    sheet.rows[at] = row;
  }
  // Added titles copy the style of the one on their left.
  const style = sheet.cells?.get(`${headRow},${width - 1}`)?.style;
  if (style !== undefined) {
    for (const [index, value] of titles.entries())
      sheet.cells?.set(`${headRow},${width + index}`, { value, type: "string", style });
  }
  const own = Array.from({ length: width }, (_, column) => sheet.columns?.[column] ?? {});
  const rows = [...added.values()];
  const dates = titles.map((_, at) => rows.some((cells) => cells[at] instanceof Date));
  const columns = dates.map((isDate) => ({ width: WIDTH, ...(isDate && { numFmt: DATE_FORMAT }) }));
  sheet.columns = [...own, ...columns];
  return await saveXlsx(workbook);
}

/** The width of the rows, of formulas without a result, and of merged cells of the list. */
function widthFrom({ cells = new Map(), merges = [] }: Sheet, rows: Rows, headRow: number): number {
  let width = widthOf(rows);
  for (const [address, { formula }] of cells)
    if (formula !== undefined) width = Math.max(width, Number(address.split(",")[1]) + 1);
  for (const { endRow, endCol } of merges) if (endRow >= headRow) width = Math.max(width, endCol + 1);
  return width;
}

/** Extends a range that begins in the header row to another last column. */
function widened(range: string, headRow: number, last: string): string {
  const [, left, top, , bottom] = RANGE.exec(range) ?? [];
  return Number(top) === headRow + 1 ? `${left}${top}:${last}${bottom}` : range;
}

function xlsxCell(cell: Cell): Cell {
  if (typeof cell !== "string") return cell;
  return cell === "" ? null : cell.replace(FORBIDDEN, "").slice(0, MAX_CHARACTERS);
}
