/** Reads a list row by row, for the worker. */
import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { known } from "../../../../../../src/lib/values.ts";
import type { SentQuery } from "../../../../../../src/match/types.ts";
import { isNumberKey } from "./answers.ts";
import { findColumn } from "./kvkColumn.ts";
import { readNumber } from "./lookupKind.ts";
import { findMatchColumns } from "./matchColumns.ts";
import { isTooLong, isTotal, labelOf, lineOf, previewOf, queryReader } from "./matchKind.ts";
import type { Found, ListItems, ListRow, Reading } from "./source.ts";
import { isEmptyRow, type Rows, textOf, widthOf } from "./table.ts";

const MAX_EXAMPLES = 3;

/** Recognises the columns. */
export function findIn(rows: Rows): Found {
  const lookup = findColumn(rows);
  const match = findMatchColumns(rows, lookup.column);
  const guessed = lookup.column === undefined ? undefined : lookup.headRow;
  const headRow = lookup.by === "name" ? lookup.headRow : (match.headRow ?? guessed);
  const isOpen = lookup.column === undefined || match.columns.name === undefined;
  const mixed =
    isOpen && match.headRow === undefined ? mixedColumn(rows.slice((headRow ?? -1) + 1)) : undefined;
  if (mixed === undefined || lookup.by === "name") return { columns: match.columns, headRow };
  const { name, ...columns } = match.columns;
  // Its other words are the city, as in "Name, City".
  const city = name === mixed ? undefined : name;
  return { columns: { ...known("city", city), ...columns, kvkNumber: mixed, name: mixed }, headRow };
}

/** Returns the first column of a list without titles that has KVK numbers in some rows and words in all others. */
function mixedColumn(rows: Rows): number | undefined {
  const body = rows.filter((row) => !isEmptyRow(row));
  return Array.from({ length: widthOf(rows) }, (_, column) => column).find((column) => {
    const isNumber = body.map((row) => readNumber(row[column]).kind === "number");
    const isWords = body.map((row) => /\p{L}{2}/u.test(textOf(row[column])));
    const isEither = isNumber.every((is, at) => is || isWords[at]);
    return isEither && isNumber.includes(true) && isWords.includes(true);
  });
}

/**
 * Reads the rows of a list. A number that several rows have is looked up once; every other row is matched on its own.
 */
export function itemsOf(table: Rows, reading: Reading): ListItems {
  const rows: ListRow[] = [];
  const numbers = new Set<string>();
  const queries: { key: string; query: SentQuery }[] = [];
  const examples = new Set<string>();
  const [counts, encoder] = [{ short: 0, other: 0, bytes: 0, skipped: 0 }, new TextEncoder()];
  const read = rowReaderOf(reading);
  for (const [at, cells] of table.entries()) {
    if (at <= (reading.headRow ?? -1) || isEmptyRow(cells)) continue;
    const { row, query, written } = read(at, cells);
    rows.push(row);
    if (written.kind === "short" || written.kind === "other") counts[written.kind] += 1;
    if (written.kind === "other") examples.add(written.text);
    if (row.key === undefined) counts.skipped += 1;
    else if (isNumberKey(row.key)) numbers.add(row.key);
    else if (query !== undefined) {
      queries.push({ key: row.key, query });
      counts.bytes += encoder.encode(lineOf(query)).length;
    }
  }
  const { bytes, ...others } = counts;
  return {
    ...{ rows, ...others, numbers: numbers.size, keys: [...numbers, ...queries.map(({ key }) => key)] },
    ...{ examples: [...examples].slice(0, MAX_EXAMPLES), previewQueries: previewOf(queries) },
    isTooLarge: queries.length > JOB_BOUNDS.maxNumbers || bytes > JOB_BOUNDS.maxMatchBytes,
  };
}

function rowReaderOf(reading: Reading) {
  const { columns, kind, completes } = reading;
  const column = kind === "list" ? columns.kvkNumber : undefined;
  const hasNames = Object.keys(columns).some((field) => field !== "kvkNumber");
  const readSent = queryReader(reading);
  return (at: number, cells: Rows[number]) => {
    const { sent, query, hasUnusable } = readSent(cells);
    const cell = column === undefined ? undefined : cells[column];
    const text = textOf(cell).trim();
    const read = readNumber(cell);
    // A column may have numbers in some rows and names in others.
    const written = column === columns.name && read.kind === "other" ? readNumber(undefined) : read;
    const isUsable = written.kind === "number" || (written.kind === "short" && completes);
    const number = isUsable ? written.number : kind === "list" ? query?.kvkNumber : undefined;
    const key = number ?? (query && String(at));
    const ofNumber = written.kind === "other" ? written.why : written.kind === "short" ? "length" : undefined;
    const why = ofNumber === "text" && hasNames ? "invalid" : ofNumber;
    const unsent = isTotal(cells, query) ? "total" : isTooLong(sent) ? "tooLong" : why;
    const row: ListRow = {
      ...{ at, key, text: labelOf(query ?? sent) || text },
      why: key === undefined ? (unsent ?? (hasNames ? "invalid" : "empty")) : undefined,
      hasUnusable: number === undefined && (hasUnusable || (ofNumber !== undefined && /\d/.test(text))),
    };
    return { row, query: key === number ? undefined : sent, written: { kind: written.kind, text } };
  };
}

/** Returns the JSON lines that are sent for some keys. */
export function linesOf(rows: Rows, reading: Reading, keys: readonly string[]): string[] {
  const read = queryReader(reading);
  return keys.map((key) => (isNumberKey(key) ? `"${key}"\n` : lineOf(read(rows[Number(key)] ?? []).sent)));
}
