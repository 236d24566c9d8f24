import { isReadable } from "../../lib/readable.ts";
import type { Tables } from "../schema/tables.ts";
import { StateRefused } from "../stateStore.ts";

/** Where a state is: the file of an embedded one, or the address of a database. */
export type StateLocation = { readonly path: string } | { readonly url: string };

/** @throws {StateRefused} when there is no state to read */
export function checkIsThere(location: StateLocation): void {
  if ("path" in location && !isReadable(location.path)) {
    throw new StateRefused(`there is no state in ${location.path}: check DATA_DIR`);
  }
}

/** A row as every store gives and takes it: text, whole numbers or nothing. */
export type Row = Readonly<Record<string, string | number | null>>;

/**
 * A store whose rows are read and written as they are, in one transaction: alone, while nobody else uses it, or beside
 * others, as it was at one moment, to be read only.
 */
export interface RawState {
  /** All rows, some at a time, in the order of their key by code points, whatever the store's own order is. */
  rowsOf(table: keyof Tables): AsyncIterable<readonly Row[]>;
  /** Adds rows that have the same columns. */
  add(table: keyof Tables, rows: readonly Row[]): Promise<void>;
  /** Makes what was added stay; the state is of no use afterwards. */
  commit(): Promise<void>;
  /** Undoes what was not committed. */
  close(): Promise<void>;
}

/** How a state is opened: for this process alone, or to be read beside those who use it. */
export type RawAccess = "alone" | "beside others";

const ROWS_AT_ONCE = 500;
/** Of tables whose rows may have a hundred kilobytes and more each. */
const FEWER_AT_ONCE: Partial<Readonly<Record<keyof Tables, number>>> = {
  kept_answers: 50,
  job_blocks: 50,
  job_results: 10,
};

/** Rows of a table that are read or written at once: some megabytes of memory. */
export function rowsAtOnce(table: keyof Tables): number {
  return FEWER_AT_ONCE[table] ?? ROWS_AT_ONCE;
}

/** @throws {TypeError} when a store gives something that another could not take as it is */
export function asRow(value: unknown): Row {
  const row: Record<string, string | number | null> = {};
  for (const [column, cell] of Object.entries(value ?? {})) {
    if (cell !== null && typeof cell !== "string" && !Number.isSafeInteger(cell)) {
      throw new TypeError(`the column ${column} holds a ${typeof cell} that cannot be moved`);
    }
    row[column] = cell;
  }
  return row;
}
