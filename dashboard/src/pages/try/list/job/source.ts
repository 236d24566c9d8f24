import type { CsvField } from "../../../../../../src/company/table/columns.ts";
import type { NotAKvkNumber } from "../../../../../../src/contract/kvkNumberText.ts";
import type { SentQuery } from "../../../../../../src/match/types.ts";
import type { Answer } from "./answers.ts";
import { columnLetter, type Rows, type Table, textOf, widthOf } from "./table.ts";

/** The fields of a company to match that a column can hold. Their columns are recognised as in imports. */
export const MATCH_FIELDS = [
  ...(["name", "street", "houseNumber", "houseLetter", "houseNumberAddition", "postalCode", "city"] as const),
  ...(["country", "address", "kvkNumber", "rsin", "vatNumber", "lei", "euid", "websites"] as const),
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

/** How to read a list. */
export interface Reading extends FoundColumns {
  /**
   * `list`: looks up rows with a KVK number, and matches the others. `match`: matches every row, as an earlier version
   * of the page did.
   */
  readonly kind: "list" | "match";
  /** Whether lost leading zeros of KVK numbers are restored. */
  readonly completes: boolean;
}

/** The columns that were recognised. */
export type Found = FoundColumns;

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
  /** The results of a preview of these rows. */
  readonly previewed?: Previewed | undefined;
}

export interface Previewed {
  readonly answers: readonly Answer[];
  readonly spent: number;
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
  /** Why it has nothing to send. */
  readonly why: NotAKvkNumber | "empty" | "invalid" | "tooLong" | "total" | undefined;
  /** Whether a number that cannot be right is not sent. */
  readonly hasUnusable?: boolean;
}

/** The rows of a list, and what is sent of them. */
export interface ListItems {
  readonly rows: readonly ListRow[];
  /** Each key once: the KVK numbers, then the rows to match. Each is charged on its own. */
  readonly keys: readonly string[];
  /** How many keys are KVK numbers. */
  readonly numbers: number;
  /** Rows without a key. */
  readonly skipped: number;
  /** Rows whose number lost its leading zero. */
  readonly short: number;
  /** Rows with other content than a KVK number in its column, and the first few of these texts. */
  readonly other: number;
  readonly examples: readonly string[];
  /** Some rows to match, for a preview. */
  readonly previewQueries: readonly { readonly key: string; readonly query: SentQuery }[];
  /** Whether the list is larger than the service accepts. */
  readonly isTooLarge: boolean;
  /** Whether the rows are still being read. */
  readonly isPending?: true;
}

export const PENDING: ListItems = {
  ...{ rows: [], keys: [], numbers: 0, skipped: 0, short: 0, other: 0, examples: [], previewQueries: [] },
  ...{ isTooLarge: false, isPending: true },
};

export const defaultReading = (found: Found) => readingAs("list", found);

export function readingAs(kind: Reading["kind"], found: Found): Reading {
  return { kind, completes: true, ...found };
}

/** Whether any column is read. */
export function hasColumns({ columns }: Reading): boolean {
  return NAMING.some((field) => columns[field] !== undefined);
}

/** Without one of these columns, a row says nothing about a company. */
const NAMING: readonly MatchField[] = [
  ...(["name", "kvkNumber", "rsin", "vatNumber", "lei", "euid", "address", "postalCode"] as const),
];

/** The titles of the columns, or their letters. */
export function titlesOf(rows: Rows, headRow: number | undefined): readonly string[] {
  const head = headRow === undefined ? undefined : rows[headRow];
  return Array.from(
    { length: widthOf(rows) },
    (_, index) => textOf(head?.[index]).trim() || columnLetter(index),
  );
}
