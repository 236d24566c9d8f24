import type { CsvField } from "../../../../../../src/company/table/columns.ts";
import type { NotAKvkNumber } from "../../../../../../src/contract/kvkNumberText.ts";
import type { MatchQuery } from "../../../../../../src/match/types.ts";
import { columnLetter, type Rows, type Table, textOf, widthOf } from "./table.ts";

/** How to read a list: by the KVK numbers in one column, or by all columns that describe a company. */
export type Reading = LookupReading | MatchReading;

/** The fields of a company to match that a column can hold. Their columns are recognised as in imports. */
export const MATCH_FIELDS = [
  ...(["name", "street", "houseNumber", "houseLetter", "houseNumberAddition", "postalCode", "city"] as const),
  ...(["country", "address", "kvkNumber", "rsin", "vatNumber", "websites"] as const),
] as const satisfies readonly CsvField[];
export type MatchField = (typeof MATCH_FIELDS)[number];
/** The column of each field. */
export type MatchColumns = { readonly [Field in MatchField]?: number };

/** The column with KVK numbers, and the header row; undefined if not found. */
export interface FoundColumn {
  readonly column: number | undefined;
  readonly headRow: number | undefined;
  /** How it was found; `reader`: chosen by the person. */
  readonly by: "name" | "values" | "reader" | undefined;
}

/** The columns that describe a company, and the header row. */
export interface FoundColumns {
  readonly columns: MatchColumns;
  readonly headRow: number | undefined;
}

export interface LookupReading extends FoundColumn {
  readonly kind: "lookup";
  /** Whether lost leading zeros are restored. */
  readonly completes: boolean;
}

export interface MatchReading extends FoundColumns {
  readonly kind: "match";
}

/** The columns that were recognised for each kind of list. */
export interface Found {
  readonly lookup: FoundColumn;
  readonly match: FoundColumns;
}

/** A file that was read. */
export interface FileRead {
  readonly table: Table;
  readonly found: Found;
  readonly reading: Reading;
  readonly items: ListItems;
}

/** The customer's file. */
export interface Source extends FileRead {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A file as it is stored, and how to read it. */
export interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sheet: number;
  readonly reading: Reading;
}

/** A row below the header row. */
export interface ListRow {
  /** Index in the table's rows. */
  readonly at: number;
  /** The content of the row as it is shown. */
  readonly text: string;
  /** The KVK number to look up, or the index of a row to match; absent if the row has nothing to send. */
  readonly key: string | undefined;
  readonly why: NotAKvkNumber | "empty" | "invalid" | undefined;
}

/** The rows of a list, and what is sent of them. */
export interface ListItems {
  readonly rows: readonly ListRow[];
  /** Each key once, in the order of the rows. Each is charged on its own. */
  readonly keys: readonly string[];
  readonly empty: number;
  /** Rows whose number lost its leading zero. */
  readonly short: number;
  /** Rows with other content, and the first few of these texts. */
  readonly other: number;
  readonly examples: readonly string[];
  /** The first rows to match, for a preview. */
  readonly firstQueries: readonly { readonly key: string; readonly query: MatchQuery }[];
  /** Whether the list is larger than the service accepts. */
  readonly isTooLarge: boolean;
  /** Whether the rows are still being read. */
  readonly isPending?: true;
}

export const PENDING: ListItems = {
  ...{ rows: [], keys: [], empty: 0, short: 0, other: 0, examples: [], firstQueries: [] },
  ...{ isTooLarge: false, isPending: true },
};

/** Reads a list with KVK numbers by them, and any other list by its names and addresses. */
export function defaultReading(found: Found): Reading {
  return readingAs(found.lookup.column === undefined ? "match" : "lookup", found);
}

export function readingAs(kind: Reading["kind"], { lookup, match }: Found): Reading {
  return kind === "lookup" ? { kind, ...lookup, completes: true } : { kind, ...match };
}

/** Whether any column is read. */
export function hasColumns(reading: Reading): boolean {
  if (reading.kind === "lookup") return reading.column !== undefined;
  const { columns } = reading;
  return NAMING.some((field) => columns[field] !== undefined);
}

/** Without one of these columns, a row says nothing about a company. */
const NAMING: readonly MatchField[] = ["name", "kvkNumber", "rsin", "vatNumber", "address", "postalCode"];

/** The titles of the columns, or their letters. */
export function titlesOf(rows: Rows, headRow: number | undefined): readonly string[] {
  const head = headRow === undefined ? undefined : rows[headRow];
  return Array.from(
    { length: widthOf(rows) },
    (_, index) => textOf(head?.[index]).trim() || columnLetter(index),
  );
}
