import { isReadable } from "../../lib/readable.ts";
import type { Tables } from "../schema/tables.ts";
import { StateRefused } from "../stateErrors.ts";

/** The location of a state: the file of an embedded one, or the address of a database. */
export type StateLocation = { readonly path: string } | { readonly url: string };

/** @throws {StateRefused} if there is no state to read */
export function checkExists(location: StateLocation): void {
  if ("path" in location && !isReadable(location.path)) {
    throw new StateRefused(`no state in ${location.path}: check DATA_DIR`);
  }
}

/** A row in a form common to all stores: text, whole numbers or null. */
export type RawRow = Readonly<Record<string, string | number | null>>;

/** Raw access to the rows of a store in one transaction: exclusive, or read-only next to others, as of one moment. */
export interface RawState {
  /** All rows in groups, in the order of their key by code points, whatever the collation of the store. */
  rowsOf(table: keyof Tables): AsyncIterable<readonly RawRow[]>;
  /** Adds rows with the same columns. */
  add(table: keyof Tables, rows: readonly RawRow[]): Promise<void>;
  /** Commits the added rows and ends the transaction. */
  commit(): Promise<void>;
  /** Rolls back uncommitted changes. */
  close(): Promise<void>;
}

/** Exclusive, or read next to other users. */
export type RawAccess = "exclusive" | "shared";

const ROWS_AT_ONCE = 500;
/** For tables whose rows may have a hundred kilobytes or more. */
const FEWER_AT_ONCE: Partial<Readonly<Record<keyof Tables, number>>> = {
  stored_responses: 50,
  job_blocks: 50,
  job_results: 10,
};

/** The number of rows to read or write at once: some megabytes of memory. */
export function rowsAtOnce(table: keyof Tables): number {
  return FEWER_AT_ONCE[table] ?? ROWS_AT_ONCE;
}

/** @throws {TypeError} for a value that another store could not store unchanged */
export function asRow(value: unknown): RawRow {
  const row: Record<string, string | number | null> = {};
  for (const [column, cell] of Object.entries(value ?? {})) {
    if (cell !== null && typeof cell !== "string" && !Number.isSafeInteger(cell)) {
      throw new TypeError(`the column ${column} has a ${typeof cell} that cannot be exported`);
    }
    row[column] = cell;
  }
  return row;
}
