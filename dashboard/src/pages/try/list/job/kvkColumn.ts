import { KVK_NUMBER_HEADINGS, plainHeading } from "../../../../../../src/contract/headings.ts";
import { readNumber } from "./lookupKind.ts";
import type { FoundColumn } from "./source.ts";
import { type Cell, isEmptyRow, type Rows, textOf, widthOf } from "./table.ts";

const HEADINGS: ReadonlySet<string> = new Set(KVK_NUMBER_HEADINGS);
/** Maximum number of rows above the header row: a title, a date, an empty row. */
export const MAX_ABOVE = 20;
/** Names of a column of KVK numbers: kvk, KVK-nummer, KvK nr., cocNumber, dossiernummer, handelsregisternummer. */
const KVK_NAME = /kvk|k\.v\.k|koophandel|(?:^|[^a-z])coc(?:[^a-z]|number|$)|chamber|handelsreg|dossier/i;
/** Names of other columns with similar values, some of which mention KVK. */
const OTHER_NAME =
  /vestiging|branch|rsin|bsn|btw|vat|iban|bic|tele?f|tel\b|phone|mobi|fax|postc|zip|datum|date|bedrag|amount|naam|name|klant|debit|credit|factuur|invoice|order|artikel/i;
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
    .filter(({ column }) => !OTHER_NAME.test(textOf(body[0]?.[column])))
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
  if (typeof cell !== "string") return false;
  if (HEADINGS.has(plainHeading(cell))) return true;
  return KVK_NAME.test(cell) && !OTHER_NAME.test(cell) && !/\d{6}/.test(cell);
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
  const filled = body.map((row) => readNumber(row[column])).filter(({ kind }) => kind !== "empty");
  const whole = filled.flatMap((read) => (read.kind === "number" ? [read.number] : []));
  const short = filled.flatMap((read) => (read.kind === "short" ? [read.number] : []));
  const share = (count: number, total: number) => (total === 0 ? 0 : count / total);
  return {
    fitting: share(whole.length + short.length, filled.length),
    whole: share(whole.length, filled.length),
    dates: share(whole.filter(isDay).length, whole.length),
    distinct: new Set([...whole, ...short]).size,
  };
}

/** `20261231` or `31122026`. */
function isDay(digits: string): boolean {
  return (
    /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(digits) ||
    /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2}$/.test(digits)
  );
}
