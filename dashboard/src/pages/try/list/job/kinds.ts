/** The two kinds of lists, for the worker. */
import { findColumn } from "./kvkColumn.ts";
import { lookupKind } from "./lookupKind.ts";
import { findMatchColumns } from "./matchColumns.ts";
import { matchKind } from "./matchKind.ts";
import type { Found, ListItems, Reading } from "./source.ts";
import type { Rows } from "./table.ts";

/** Recognises the columns for both kinds. */
export function findIn(rows: Rows): Found {
  const lookup = findColumn(rows);
  return { lookup, match: findMatchColumns(rows, lookup.column) };
}

/** Reads the rows of a list. */
export function itemsOf(rows: Rows, reading: Reading): ListItems {
  return reading.kind === "lookup" ? lookupKind.items(rows, reading) : matchKind.items(rows, reading);
}

/** Returns the JSON lines that are sent for some keys. */
export function linesOf(rows: Rows, reading: Reading, keys: readonly string[]): string[] {
  return reading.kind === "lookup" ? lookupKind.lines(keys) : matchKind.lines(rows, reading, keys);
}
