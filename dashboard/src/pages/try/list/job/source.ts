import {
  type KvkNumberText,
  type NotAKvkNumber,
  parseKvkNumberText,
} from "../../../../../../src/contract/kvkNumberText.ts";
import type { FoundColumn } from "./kvkColumn.ts";
import { type Cell, columnLetter, isEmptyRow, type Rows, type Table, textOf, widthOf } from "./table.ts";

/** The file and the numbers in its chosen column. */
export interface Source extends FileRead {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether lost leading zeros are restored. */
  readonly completes: boolean;
  readonly numbers: Numbers;
}

export interface FileRead {
  readonly table: Table;
  readonly found: FoundColumn;
}

/** A row below the header row. */
export interface ListRow {
  /** Index in the table's rows. */
  readonly at: number;
  readonly text: string;
  /** Eight digits; absent if the cell holds no KVK number. */
  readonly number: string | undefined;
  readonly why: NotAKvkNumber | "empty" | undefined;
}

interface Numbers {
  readonly rows: readonly ListRow[];
  /** Each number once, in the order of the rows. */
  readonly distinct: readonly string[];
  readonly empty: number;
  /** Rows whose number lost its leading zero. */
  readonly short: number;
  /** Rows with other content, and the first few of these texts. */
  readonly other: number;
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 3;

export function sourceOf(source: Omit<Source, "numbers">): Source {
  return {
    ...source,
    numbers: numbersOf(source.table.rows, { ...source.found, completes: source.completes }),
  };
}

/** Reads the KVK number of a cell, in the notations of people and spreadsheets. */
export function readNumber(cell: Cell | undefined): KvkNumberText {
  if (cell instanceof Date) return { kind: "other", why: "date" };
  return typeof cell === "boolean" ? { kind: "other", why: "text" } : parseKvkNumberText(textOf(cell));
}

/** Reads the chosen column row by row; without a column there are no rows. */
export function numbersOf(
  table: Rows,
  { column, headRow = -1, completes }: Pick<FoundColumn, "column" | "headRow"> & { completes: boolean },
): Numbers {
  const rows: ListRow[] = [];
  const examples = new Set<string>();
  const counts = { number: 0, empty: 0, short: 0, other: 0 };
  for (const [at, cells] of column === undefined ? [] : table.entries()) {
    if (at <= headRow || isEmptyRow(cells)) continue;
    const cell = cells[column ?? 0];
    const read = readNumber(cell);
    const text = textOf(cell).trim();
    counts[read.kind] += 1;
    if (read.kind === "other") examples.add(text);
    const isNumber = read.kind === "number" || (read.kind === "short" && completes);
    const why = read.kind === "empty" ? "empty" : read.kind === "other" ? read.why : "length";
    rows.push({ at, text, number: isNumber ? read.number : undefined, why: isNumber ? undefined : why });
  }
  const distinct = [...new Set(rows.flatMap(({ number }) => number ?? []))];
  return { ...counts, rows, distinct, examples: [...examples].slice(0, MAX_EXAMPLES) };
}

/** The titles of the columns, or their letters. */
export function titlesOf({ table: { rows }, found: { headRow } }: FileRead): readonly string[] {
  const head = headRow === undefined ? undefined : rows[headRow];
  return Array.from(
    { length: widthOf(rows) },
    (_, index) => textOf(head?.[index]).trim() || columnLetter(index),
  );
}
