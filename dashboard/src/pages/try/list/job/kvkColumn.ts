import { isKvkHeading, isOtherHeading, kvkShares } from "../../../../../../src/company/table/kvkColumn.ts";
import { readNumber } from "./lookupKind.ts";
import type { FoundColumn } from "./source.ts";
import { type Cell, isEmptyRow, type Rows, textOf, widthOf } from "./table.ts";

/** Maximum number of rows above the header row: a title, a date, an empty row. */
export const MAX_ABOVE = 20;
/** In a column without such a name, the minimum shares of KVK numbers and of eight-digit numbers. */
const MIN_FITTING = 0.6;
const MIN_EIGHT_DIGITS = 0.4;
/** The minimum share in a column with such a name: a column `KVK` may hold yes and no. */
const MIN_NAMED = 0.2;
/** A column holds dates if at least this share of its numbers can be dates (20261231). */
const MAX_DATES = 0.9;

/** Finds the column of the KVK numbers, by its name and by its values. */
export function findColumn(rows: Rows): FoundColumn {
  const named = headerByName(rows);
  if (named !== undefined) return { ...named, by: "name" };
  const body = rows.filter((row) => !isEmptyRow(row));
  const width = widthOf(rows);
  const fits = Array.from({ length: width }, (_, column) => ({ column, ...fitOf(body, column) }));
  const best = fits
    .filter(({ fitting, whole, dates }) => {
      return fitting >= MIN_FITTING && whole >= MIN_EIGHT_DIGITS && (width === 1 || dates < MAX_DATES);
    })
    .filter(({ column }) => !isOtherHeading(textOf(body[0]?.[column])))
    .toSorted((one, two) => two.fitting - one.fitting || two.distinct - one.distinct)[0];
  return {
    column: best?.column,
    headRow: headerByContent(rows, best?.column),
    by: best === undefined ? undefined : "values",
  };
}

/** Returns the first row with the name of a KVK column that has some numbers below it. */
function headerByName(rows: Rows): { readonly column: number; readonly headRow: number } | undefined {
  for (const [headRow, row] of rows.slice(0, MAX_ABOVE).entries()) {
    const columns = row.flatMap((cell, column) => (isKvkName(cell) ? [column] : []));
    if (columns.length === 0) continue;
    const body = rows.slice(headRow + 1);
    const best = columns
      .map((column) => ({ column, fitting: fitOf(body, column).fitting }))
      .toSorted((one, two) => two.fitting - one.fitting)[0];
    if (best !== undefined && best.fitting >= MIN_NAMED) return { column: best.column, headRow };
  }
  return undefined;
}

function isKvkName(cell: Cell): boolean {
  return typeof cell === "string" && isKvkHeading(cell);
}

/** Returns the first non-empty row if it holds titles: texts without figures, and no KVK number in the column. */
function headerByContent(rows: Rows, column: number | undefined): number | undefined {
  const first = rows.findIndex((row) => !isEmptyRow(row));
  const row = rows[first];
  if (row === undefined || rows.length < first + 2) return undefined;
  const cells = row.filter((cell) => textOf(cell).trim() !== "");
  const isNames = cells.every((cell) => typeof cell === "string" && !/\d{4}/.test(cell));
  const isAbove = column === undefined ? cells.length > 1 : readNumber(row[column]).kind === "other";
  return isNames && isAbove ? first : undefined;
}

function fitOf(body: Rows, column: number) {
  return kvkShares(body.map((row) => textOf(row[column])));
}
