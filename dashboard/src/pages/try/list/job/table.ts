import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";

/** The value of a cell; for a formula its last result. */
export type Cell = string | number | boolean | Date | null;

export type Rows = readonly (readonly Cell[])[];

const MAX_COLUMNS = 200;

/** One sheet of a file. */
export interface Table {
  readonly kind: "csv" | "xlsx";
  /** Names of all sheets; one empty name for a text. */
  readonly sheets: readonly string[];
  /** Index of the sheet that `rows` come from. */
  readonly sheet: number;
  readonly rows: Rows;
  /** The range of a workbook that holds something. */
  readonly range?: string;
}

/** Why a file cannot be read. `unavailable`: the library that reads workbooks could not be fetched. */
export type RefusedFile = "tooLarge" | "binary" | "oldExcel" | "damaged" | "unavailable" | "empty";

/** A file that cannot be read as a list. */
export class RefusedFileError extends Error {
  readonly reason: RefusedFile;

  constructor(reason: RefusedFile, options?: ErrorOptions) {
    super(reason, options);
    this.name = "RefusedFileError";
    this.reason = reason;
  }
}

/** The text of a cell; a date as YYYY-MM-DD, with its time if it has one. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return String(cell);
  const moment = cell.toISOString();
  return moment.endsWith("T00:00:00.000Z") ? moment.slice(0, 10) : moment.slice(0, 19).replace("T", " ");
}

/** The text of a cell as a sheet shows it: in Dutch with a decimal comma, and a date as DD-MM-YYYY. */
export function localText(cell: Cell | undefined, isDutch: boolean): string {
  // Spreadsheets show 15 digits.
  if (typeof cell === "number") return String(Number(cell.toPrecision(15))).replace(".", isDutch ? "," : ".");
  const text = textOf(cell);
  return isDutch && cell instanceof Date ? text.replace(/^(\d+)-(\d\d)-(\d\d)/, "$3-$2-$1") : text;
}

/** The number of cells in the widest row. */
export function widthOf(rows: Rows): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

/**
 * A table without the empty rows at its end and the empty columns on its right.
 * @throws {RefusedFileError} when it is empty or too large
 */
export function bounded(rows: Rows): Rows {
  let length = rows.length;
  while (length > 0 && isEmptyRow(rows[length - 1])) length -= 1;
  if (length === 0) throw new RefusedFileError("empty");
  // Titles and the header row are above the rows.
  if (length > JOB_BOUNDS.maxNumbers + 20) throw new RefusedFileError("tooLarge");
  const filled = rows.slice(0, length);
  const lastIn = (row: readonly Cell[]) => row.findLastIndex((cell) => textOf(cell).trim() !== "");
  const width = filled.reduce((most, row) => Math.max(most, 1 + lastIn(row)), 0);
  if (width > MAX_COLUMNS) throw new RefusedFileError("tooLarge");
  return filled.map((row) => (row.length > width ? row.slice(0, width) : row));
}

export function isEmptyRow(row: readonly Cell[] | undefined): boolean {
  return row === undefined || row.every((cell) => textOf(cell).trim() === "");
}

/** `A`, `B`, … `Z`, `AA`: how spreadsheets name a column, counted from 0. */
export function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetter(Math.floor(column / 26) - 1) + last;
}
