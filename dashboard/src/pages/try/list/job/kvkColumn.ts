import { KVK_NUMBER_HEADINGS, plainHeading } from "../../../../../../src/contract/headings.ts";
import { readNumber } from "./kvkNumber.ts";
import { type Cell, isEmptyRow, type Rows, textOf, widthOf } from "./table.ts";

/** Which column holds KVK numbers, and which row says what the columns are; undefined where nothing in the table tells. */
export interface FoundColumn {
  readonly column: number | undefined;
  readonly headRow: number | undefined;
  /** What it was found by. */
  readonly by: "name" | "values" | undefined;
}

const HEADINGS: ReadonlySet<string> = new Set(KVK_NUMBER_HEADINGS);
/** Above the head of a table stand a title, a date, an empty row; not more than these. */
const MOST_ABOVE = 20;
/** What a column of KVK numbers is called: kvk, KVK-nummer, KvK nr., cocNumber, dossiernummer, handelsregisternummer. */
const NAMED_SO = /kvk|k\.v\.k|koophandel|(?:^|[^a-z])coc(?:[^a-z]|number|$)|chamber|handelsreg|dossier/i;
/** What the columns beside it are called, whose values can look the same; they may name KVK too. */
const NAMED_OTHER =
  /vestiging|branch|rsin|bsn|btw|vat|iban|bic|tele?f|tel\b|phone|mobi|fax|postc|zip|datum|date|bedrag|amount|naam|name|klant|debit|credit|factuur|invoice|order|artikel/i;
/** So much of a column that nobody named must be KVK numbers, so much of it whole ones. */
const LEAST_FITTING = 0.6;
const LEAST_WHOLE = 0.4;
/** A column by its name needs a few that fit, for a column `KVK` may say yes and no. */
const LEAST_NAMED = 0.2;
/** Where nearly all are dates without their signs (20261231), they are dates. */
const MOST_DATES = 0.9;

/** Finds the column of the KVK numbers, by its name and by its values. */
export function findColumn(rows: Rows): FoundColumn {
  const named = namedHead(rows);
  if (named !== undefined) return { ...named, by: "name" };
  const body = rows.filter((row) => !isEmptyRow(row));
  const width = widthOf(rows);
  const fits = Array.from({ length: width }, (_, column) => ({ column, ...fitOf(body, column) }));
  const best = fits
    .filter(({ fitting, whole, dates }) => {
      return fitting >= LEAST_FITTING && whole >= LEAST_WHOLE && (width === 1 || dates < MOST_DATES);
    })
    .filter(({ column }) => !NAMED_OTHER.test(textOf(body[0]?.[column])))
    .toSorted((one, two) => two.fitting - one.fitting || two.distinct - one.distinct)[0];
  return {
    column: best?.column,
    headRow: plainHead(rows, best?.column),
    by: best === undefined ? undefined : "values",
  };
}

/** The first row with a cell that names a column of KVK numbers, below which there are some. */
function namedHead(rows: Rows): { readonly column: number; readonly headRow: number } | undefined {
  for (const [headRow, row] of rows.slice(0, MOST_ABOVE).entries()) {
    const columns = row.flatMap((cell, column) => (isNamedSo(cell) ? [column] : []));
    if (columns.length === 0) continue;
    const body = rows.slice(headRow + 1);
    const best = columns
      .map((column) => ({ column, fitting: fitOf(body, column).fitting }))
      .toSorted((one, two) => two.fitting - one.fitting)[0];
    if (best !== undefined && best.fitting >= LEAST_NAMED) return { column: best.column, headRow };
  }
  return undefined;
}

function isNamedSo(cell: Cell): boolean {
  if (typeof cell !== "string") return false;
  if (HEADINGS.has(plainHeading(cell))) return true;
  return NAMED_SO.test(cell) && !NAMED_OTHER.test(cell) && !/\d{6}/.test(cell);
}

/** The first row that is not empty, when it holds names: texts without figures, above something else in the column. */
function plainHead(rows: Rows, column: number | undefined): number | undefined {
  const first = rows.findIndex((row) => !isEmptyRow(row));
  const row = rows[first];
  if (row === undefined || rows.length < first + 2) return undefined;
  const cells = row.filter((cell) => textOf(cell).trim() !== "");
  const isNames = cells.every((cell) => typeof cell === "string" && !/\d{4}/.test(cell));
  const isAbove = column === undefined ? cells.length > 1 : readNumber(row[column]).kind === "other";
  return isNames && isAbove ? first : undefined;
}

interface Fit {
  /** Of the cells that are not empty, how many are KVK numbers, lost zeros included. */
  readonly fitting: number;
  readonly whole: number;
  /** Of the whole ones, how many are a day too. */
  readonly dates: number;
  readonly distinct: number;
}

function fitOf(body: Rows, column: number): Fit {
  let filled = 0;
  let short = 0;
  let dates = 0;
  let whole = 0;
  const distinct = new Set<string>();
  for (const row of body) {
    const read = readNumber(row[column]);
    if (read.kind === "empty") continue;
    filled += 1;
    if (read.kind === "other") continue;
    distinct.add(read.number);
    if (read.kind === "short") short += 1;
    else {
      whole += 1;
      if (isDay(read.number)) dates += 1;
    }
  }
  if (filled === 0) return { fitting: 0, whole: 0, dates: 0, distinct: 0 };
  return {
    fitting: (whole + short) / filled,
    whole: whole / filled,
    dates: whole === 0 ? 0 : dates / whole,
    distinct: distinct.size,
  };
}

/** `20261231` or `31122026`. */
function isDay(digits: string): boolean {
  return (
    /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(digits) ||
    /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{2}$/.test(digits)
  );
}
