import { type NotANumber, type ReadNumber, readNumber } from "./kvkNumber.ts";
import { isEmptyRow, type Rows, textOf } from "./table.ts";

/** A row of the list below its head: where it stands in the table, and what its cell says. */
export interface ListRow {
  /** From 0 in the table's rows. */
  readonly at: number;
  readonly text: string;
  /** Eight digits; absent when the cell holds no KVK number. */
  readonly number: string | undefined;
  readonly why: NotANumber | "empty" | undefined;
}

export interface Numbers {
  readonly rows: readonly ListRow[];
  /** Each once, in their order. */
  readonly distinct: readonly string[];
  readonly empty: number;
  /** Rows whose number lost its leading zero. */
  readonly short: number;
  /** Rows with something else, and the first of them. */
  readonly other: number;
  readonly examples: readonly string[];
}

const MOST_EXAMPLES = 3;

/** What a column of a table says, row for row. Numbers that lost a zero are completed, or left as no KVK number. */
export function numbersOf(
  table: Rows,
  { column, headRow, completes }: { column: number; headRow: number | undefined; completes: boolean },
): Numbers {
  const rows: ListRow[] = [];
  const distinct = new Set<string>();
  const examples = new Set<string>();
  let empty = 0;
  let short = 0;
  let other = 0;
  for (let at = headRow === undefined ? 0 : headRow + 1; at < table.length; at += 1) {
    const cells = table[at];
    if (isEmptyRow(cells)) continue;
    const read = readNumber(cells?.[column]);
    const text = textOf(cells?.[column]).trim();
    const number = numberIn(read, completes);
    if (number !== undefined) distinct.add(number);
    if (read.kind === "empty") empty += 1;
    if (read.kind === "short") short += 1;
    if (read.kind === "other") {
      other += 1;
      if (examples.size < MOST_EXAMPLES) examples.add(text);
    }
    rows.push({ at, text, number, why: whyNot(read, number) });
  }
  return { rows, distinct: [...distinct], empty, short, other, examples: [...examples] };
}

function numberIn(read: ReadNumber, completes: boolean): string | undefined {
  if (read.kind === "number") return read.number;
  return read.kind === "short" && completes ? read.number : undefined;
}

function whyNot(read: ReadNumber, number: string | undefined): ListRow["why"] {
  if (number !== undefined) return undefined;
  if (read.kind === "empty") return "empty";
  return read.kind === "other" ? read.why : "length";
}
