import { type Rows, textOf, widthOf } from "./table.ts";

/** A table to write: the reader's own with the columns that were added to it. */
export interface Completed {
  readonly rows: Rows;
  readonly headRow: number | undefined;
  readonly titles: readonly string[];
  /** What is added to a row of the table, by where it stands; absent for what is above the list, or empty. */
  readonly added: ReadonlyMap<number, readonly string[]>;
}

/** A byte order mark, without which Excel does not take a file for UTF-8. */
const START = "\uFEFF";

/** The completed table as CSV; spreadsheets of a language with a decimal comma want a semicolon. */
export function writeCsv(table: Completed, separator: "," | ";"): string {
  const lines = completedRows(table).map((row) => row.map(cell).join(separator));
  return `${START}${lines.join("\r\n")}\r\n`;
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

/**
 * What spreadsheets take for a formula, full-width and small signs included: as the service's own exports have it
 * (`src/lib/spreadsheet.ts`), and a test holds the two equal.
 */
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}]*[=+\-@\u2212]/u;
/** A signed figure is none, and the reader's own stay figures. */
const FIGURE = /^[+-]\d[\d.,]*%?$/;

/** A cell in quotes where it needs them. What a spreadsheet would run as a formula gets an apostrophe before it. */
export function cell(text: string): string {
  const isFormula = FORMULA.test(text.normalize("NFKC")) && !FIGURE.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",;\r\n'\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
