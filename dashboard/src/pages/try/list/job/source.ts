import type { Plan } from "../protocol.ts";
import type { FoundColumn } from "./kvkColumn.ts";
import { type Numbers, numbersOf } from "./numbersOf.ts";
import { type Table, textOf, widthOf } from "./table.ts";
import { columnLetter } from "./writeCsv.ts";

const PREVIEWED = 5;
const NO_NUMBERS: Numbers = { rows: [], distinct: [], empty: 0, short: 0, other: 0, examples: [] };

/** What was read, and where its numbers are. */
export interface Source {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: Table;
  readonly found: Omit<FoundColumn, "by"> & { readonly by: Plan["foundBy"] };
  readonly completes: boolean;
  readonly numbers: Numbers;
  readonly plan: Plan;
}

/** What a table comes to with a column chosen, or with none. */
export function sourceOf(source: Omit<Source, "numbers" | "plan">): Source {
  const { table, found, completes } = source;
  const { column, headRow } = found;
  const numbers = column === undefined ? NO_NUMBERS : numbersOf(table.rows, { column, headRow, completes });
  return { ...source, numbers, plan: planOf({ ...source, numbers }) };
}

function planOf({ name, table, found, completes, numbers }: Omit<Source, "plan">): Plan {
  const { column, headRow, by } = found;
  const head = headRow === undefined ? undefined : table.rows[headRow];
  const first = headRow === undefined ? 0 : headRow + 1;
  const columns = Array.from(
    { length: widthOf(table.rows) },
    (_, index) => textOf(head?.[index]).trim() || columnLetter(index),
  );
  return {
    name,
    sheets: table.sheets,
    sheet: table.sheet,
    columns,
    column,
    foundBy: by,
    preview: table.rows.slice(first, first + PREVIEWED).map((row, offset) => ({
      at: first + offset,
      cells: columns.map((_, index) => textOf(row[index])),
    })),
    rows: numbers.rows.length,
    numbers: numbers.distinct.length,
    empty: numbers.empty,
    short: numbers.short,
    completes,
    other: numbers.other,
    examples: numbers.examples,
  };
}
