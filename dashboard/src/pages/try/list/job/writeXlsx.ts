import type { CellStyle, CellValue } from "hucre/xlsx";
import type { Table } from "./table.ts";
import { textOf, widthOf } from "./table.ts";
import { type Completed, completedRows } from "./writeCsv.ts";

/** Longer than this no cell may be (ECMA-376, Excel's limits). */
const MOST_CHARACTERS = 32_767;
const WIDTHS = { least: 10, most: 50, sampled: 200 };
/** What XML cannot hold, and a name from a registry should not. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * The completed table as a workbook. One that came as a workbook stays what it is, with its other sheets, formulas and looks, and gets
 * columns at its side; a text, or a sheet without a head, becomes a plain sheet.
 */
export async function writeXlsx(
  completed: Completed,
  source: { readonly table: Table; readonly bytes: Uint8Array },
  sheetName: string,
): Promise<Uint8Array> {
  const { table, bytes } = source;
  return table.kind === "xlsx" && completed.headRow !== undefined
    ? await extended(bytes, table.sheet, completed, completed.headRow)
    : await plain(completed, table.sheets[table.sheet] || sheetName);
}

async function plain(completed: Completed, name: string): Promise<Uint8Array> {
  const { writeXlsx: write } = await import("hucre/xlsx");
  const rows = completedRows(completed).map((row) => row.map(held));
  const head = completed.headRow ?? 0;
  const sheet = { name, rows, columns: widthsOf(rows), freezePane: { rows: head + 1 } };
  return await write({ sheets: [sheet] });
}

async function extended(
  bytes: Uint8Array,
  sheetIndex: number,
  { rows: read, titles, added }: Completed,
  headRow: number,
): Promise<Uint8Array> {
  const { openXlsx, saveXlsx } = await import("hucre/xlsx");
  const workbook = await openXlsx(bytes, { readStyles: true });
  const sheet = workbook.sheets[sheetIndex];
  if (sheet === undefined) throw new Error("the workbook has lost a sheet");
  const width = widthOf(read);
  const side = new Map<number, readonly string[]>([...added, [headRow, titles]]);
  for (const [at, cells] of side) {
    const row: CellValue[] = sheet.rows[at] ?? [];
    while (row.length < width) row.push(null);
    row.splice(width, cells.length, ...cells.map((text) => (text === "" ? null : held(text))));
    sheet.rows[at] = row;
  }
  const style = sheet.cells?.get(`${headRow},${width - 1}`)?.style;
  if (style !== undefined) {
    const styled = sheet.cells ?? new Map();
    for (const [index, title] of titles.entries())
      styled.set(`${headRow},${width + index}`, headCell(title, style));
    sheet.cells = styled;
  }
  const columns = [...(sheet.columns ?? [])];
  while (columns.length < width) columns.push({});
  sheet.columns = [...columns.slice(0, width), ...widthsOf([titles, ...added.values()])];
  return await saveXlsx(workbook);
}

/** The head of an added column looks as the one beside it. */
function headCell(value: string, style: CellStyle) {
  return { value, type: "string" as const, style };
}

function held(text: string): string {
  return text.replace(FORBIDDEN, "").slice(0, MOST_CHARACTERS);
}

/** Columns as wide as their first texts, within reason. */
function widthsOf(rows: readonly (readonly string[])[]): { width: number }[] {
  const sample = rows.slice(0, WIDTHS.sampled);
  return Array.from({ length: widthOf(sample) }, (_, column) => {
    const longest = sample.reduce((most, row) => Math.max(most, textOf(row[column]).length), 0);
    return { width: Math.min(WIDTHS.most, Math.max(WIDTHS.least, longest + 2)) };
  });
}
