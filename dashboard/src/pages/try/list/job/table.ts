/** What a spreadsheet holds in a cell. A formula is here by what it last came to. */
export type Cell = string | number | boolean | Date | null;

export type Rows = readonly (readonly Cell[])[];

/** Rows and columns of at most so many, so that a browser on a phone can hold them. */
export const MOST_ROWS = 50_000;
export const MOST_COLUMNS = 200;

/** A table that was read. */
export interface Table {
  readonly kind: "csv" | "xlsx";
  /** The names of the sheets; one without a name for a text. */
  readonly sheets: readonly string[];
  /** Which of them the rows are of. */
  readonly sheet: number;
  readonly rows: Rows;
}

/** Why a file cannot be read; each has a sentence that says what to do. */
export type RefusedFile =
  | "tooLarge"
  | "tooManyRows"
  | "tooManyColumns"
  | "unpacksTooLarge"
  | "binary"
  | "oldExcel"
  | "openDocument"
  | "encrypted"
  | "damaged"
  /** The program that reads workbooks could not be fetched. */
  | "unavailable"
  | "empty";

/** A file that is no list. */
export class RefusedFileError extends Error {
  readonly reason: RefusedFile;

  constructor(reason: RefusedFile, options?: ErrorOptions) {
    super(reason, options);
    this.name = "RefusedFileError";
    this.reason = reason;
  }
}

/** A cell as a person reads it: a date as YYYY-MM-DD, with its time where it has one. */
export function textOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return String(cell);
  const moment = cell.toISOString();
  return moment.endsWith("T00:00:00.000Z") ? moment.slice(0, 10) : moment.slice(0, 19).replace("T", " ");
}

/** How many cells the widest row has. */
export function widthOf(rows: Rows): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

/** A table without the empty rows at its end, and within what can be held. @throws {RefusedFileError} */
export function bounded(rows: Rows): Rows {
  let length = rows.length;
  while (length > 0 && isEmptyRow(rows[length - 1])) length -= 1;
  if (length === 0) throw new RefusedFileError("empty");
  // Titles and the head stand above the rows.
  if (length > MOST_ROWS + 20) throw new RefusedFileError("tooManyRows");
  const kept = rows.slice(0, length);
  if (widthOf(kept) > MOST_COLUMNS) throw new RefusedFileError("tooManyColumns");
  return kept;
}

export function isEmptyRow(row: readonly Cell[] | undefined): boolean {
  return row === undefined || row.every((cell) => textOf(cell).trim() === "");
}
