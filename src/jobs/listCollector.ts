import type { UsedColumns } from "../contract/jobs.ts";
import { invalidList } from "./listErrors.ts";

/** The maximum size of a line, or row, of a list: exports have many columns besides those that matter. */
export const MAX_LINE_BYTES = 65_536;
export const TOO_LONG = `is longer than ${MAX_LINE_BYTES} bytes: shorten it, or send fewer columns`;
/** The maximum number of columns of a list, and of fields on a line. */
export const MAX_COLUMNS = 1_000;

/** Collects the items of a list while its body is read. */
export interface ListCollector {
  /** Whether its items are texts that a wrong encoding would damage. */
  readonly hasTexts: boolean;
  /** Adds the item on a line of JSON lines. One that cannot be read fails alone. */
  addLine(text: string, line: number): void;
  /**
   * Finds the columns of a CSV file, of which `sample` has the first rows.
   * @throws {ApiError} if they are not recognised, or too many
   */
  readHeader(header: readonly string[], line: number, sample: readonly (readonly string[])[]): void;
  /** Adds the item in a row of a CSV file. @throws {ApiError} */
  addCells(cells: readonly string[]): void;
  /** Counts an empty line, or a row of empty cells. */
  addEmpty(): void;
  /** Adds a line that is too long, with the cells at its beginning; none in JSON lines. */
  addLong(cells: readonly string[], line: number): void;
  /** @throws {ApiError} if the list is empty, or none of its items could be read */
  result(): ReceivedList;
}

export interface ReceivedList {
  /** Numbers without duplicates, each as it was first written; or rows to match, see `matchRow.ts`. */
  readonly numbers: readonly string[];
  readonly sent: number;
  /** The number of well-formed items. A malformed item is free. */
  readonly payable: number;
  /** Absent if the list has no columns. */
  readonly columns?: UsedColumns;
}

/** Parses a line of JSON; undefined if it is not JSON. */
export function jsonOn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws {ApiError} if a header has too many columns */
export function checkWidth(names: readonly string[], line: number): void {
  if (names.length <= MAX_COLUMNS) return;
  throw invalidList(`line ${line} has more than ${MAX_COLUMNS} columns: send only those that are needed`);
}
