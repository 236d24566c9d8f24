import { SPREADSHEET_START, spreadsheetCell } from "../../../../../../src/lib/spreadsheet.ts";
import { readTable } from "./readTable.ts";
import { columnLetter, type Rows, type Table, textOf, widthOf } from "./table.ts";

/** The customer's table and the added columns. */
export interface Completed {
  readonly rows: Rows;
  readonly headRow: number | undefined;
  readonly titles: readonly string[];
  /** The added cells by row index. Rows above the list and empty rows are absent. */
  readonly added: ReadonlyMap<number, readonly string[]>;
}

/** The file to download. */
export interface FileRequest extends Omit<Completed, "rows"> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sheet: number;
  readonly format: "xlsx" | "csv";
  /** The separator of CSV. */
  readonly separator: "," | ";";
  /** The name of a sheet that has none. */
  readonly sheetName: string;
}

const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** The maximum length of a cell's text (Excel specifications and limits). */
const MAX_CHARACTERS = 32_767;
/** Characters that XML does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** In characters. */
const COLUMN = { width: 20 };

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
  const lines = completedRows(table).map((row) => row.map(spreadsheetCell).join(separator));
  return `${SPREADSHEET_START}${lines.join("\r\n")}\r\n`;
}

/** Returns all rows as texts of the same width. A table without a header row gets one, with letters for its own columns. */
function completedRows({ rows, headRow, titles, added }: Completed): string[][] {
  const width = widthOf(rows);
  const blank = titles.map(() => "");
  const all = rows.map((row, at) => [
    ...Array.from({ length: width }, (_, column) => textOf(row[column])),
    ...(at === headRow ? titles : (added.get(at) ?? blank)),
  ]);
  if (headRow !== undefined) return all;
  return [[...Array.from({ length: width }, (_, column) => columnLetter(column)), ...titles], ...all];
}

/**
 * Writes a workbook. The customer's own workbook keeps its other sheets, formulas and styles, and gets columns on the right.
 * CSV, and a sheet without a header row, becomes a plain sheet.
 */
export async function writeXlsx(
  completed: Completed,
  { table, bytes }: { readonly table: Table; readonly bytes: Uint8Array },
  sheetName: string,
): Promise<Uint8Array> {
  const { headRow, titles, added } = completed;
  const { openXlsx, saveXlsx, writeXlsx: write } = await import("hucre/xlsx");
  if (table.kind !== "xlsx" || headRow === undefined) {
    const rows = completedRows(completed).map((row) => row.map(xlsxText));
    const columns = (rows[0] ?? []).map(() => COLUMN);
    const name = table.sheets[table.sheet] || sheetName;
    return await write({ sheets: [{ name, rows, columns, freezePane: { rows: (headRow ?? 0) + 1 } }] });
  }
  const workbook = await openXlsx(bytes, { readStyles: true });
  const sheet = workbook.sheets[table.sheet];
  if (sheet === undefined) throw new Error("the workbook has lost a sheet");
  const width = widthOf(completed.rows);
  for (const [at, cells] of [...added, [headRow, titles] as const]) {
    const row = sheet.rows[at] ?? [];
    while (row.length < width) row.push(null);
    row.splice(width, cells.length, ...cells.map((text) => (text === "" ? null : xlsxText(text))));
    sheet.rows[at] = row;
  }
  // Added titles copy the style of the one on their left.
  const style = sheet.cells?.get(`${headRow},${width - 1}`)?.style;
  if (style !== undefined) {
    for (const [index, value] of titles.entries())
      sheet.cells?.set(`${headRow},${width + index}`, { value, type: "string", style });
  }
  const own = Array.from({ length: width }, (_, column) => sheet.columns?.[column] ?? {});
  sheet.columns = [...own, ...titles.map(() => COLUMN)];
  return await saveXlsx(workbook);
}

function xlsxText(text: string): string {
  return text.replace(FORBIDDEN, "").slice(0, MAX_CHARACTERS);
}
