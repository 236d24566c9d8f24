/** Lists of KVK numbers to look up. Each number is looked up once. */
import { type KvkNumberText, parseKvkNumberText } from "../../../../../../src/contract/kvkNumberText.ts";
import type { ListItems, ListRow, LookupReading } from "./source.ts";
import { type Cell, isEmptyRow, type Rows, textOf } from "./table.ts";

const MAX_EXAMPLES = 3;

/** Reads the KVK number of a cell, in the notations of people and spreadsheets. */
export function readNumber(cell: Cell | undefined): KvkNumberText {
  if (cell instanceof Date) return { kind: "other", why: "date" };
  return typeof cell === "boolean" ? { kind: "other", why: "text" } : parseKvkNumberText(textOf(cell));
}

/** Reads the chosen column row by row; without a column there are no rows. */
function items(
  table: Rows,
  { column, headRow = -1, completes }: Pick<LookupReading, "column" | "headRow" | "completes">,
): ListItems {
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
    rows.push({ at, text, key: isNumber ? read.number : undefined, why: isNumber ? undefined : why });
  }
  const { empty, short, other } = counts;
  const keys = [...new Set(rows.flatMap(({ key }) => key ?? []))];
  const shown = [...examples].slice(0, MAX_EXAMPLES);
  return { rows, keys, empty, short, other, examples: shown, firstQueries: [], isTooLarge: false };
}

export const lookupKind = {
  items,
  lines: (keys: readonly string[]) => keys.map((number) => `"${number}"\n`),
};
