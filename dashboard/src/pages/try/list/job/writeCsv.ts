import { SPREADSHEET_START, spreadsheetCell } from "../../../../../../src/lib/spreadsheet.ts";
import { type Rows, textOf, widthOf } from "./table.ts";

/** A table to write: the reader's own with the columns that were added to it. */
export interface Completed {
  readonly rows: Rows;
  readonly headRow: number | undefined;
  readonly titles: readonly string[];
  /** What is added to a row of the table, by where it stands; absent for what is above the list, or empty. */
  readonly added: ReadonlyMap<number, readonly string[]>;
}

/** The completed table as CSV; spreadsheets of a language with a decimal comma want a semicolon. */
export function writeCsv(table: Completed, separator: "," | ";"): string {
  const lines = completedRows(table).map((row) => row.map(spreadsheetCell).join(separator));
  return `${SPREADSHEET_START}${lines.join("\r\n")}\r\n`;
}

/** Every row as texts, as wide as the others. A table without a head gets one, with the letters of a spreadsheet for its own columns. */
export function completedRows({ rows, headRow, titles, added }: Completed): string[][] {
  const width = widthOf(rows);
  const blank = titles.map(() => "");
  const all = rows.map((row, at) => [
    ...Array.from({ length: width }, (_, column) => textOf(row[column])),
    ...(at === headRow ? titles : (added.get(at) ?? blank)),
  ]);
  if (headRow !== undefined) return all;
  return [[...Array.from({ length: width }, (_, column) => columnLetter(column)), ...titles], ...all];
}

/** `A`, `B`, … `Z`, `AA`: what spreadsheets call a column, counted from 0. */
export function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetter(Math.floor(column / 26) - 1) + last;
}
