/** Recognises the columns that describe a company: by their headings, as imports do, otherwise by their values. */
import { type CsvField, findColumns } from "../../../../../../src/company/table/columns.ts";
import { SAMPLE_ROWS, withColumnsByValue } from "../../../../../../src/company/table/columnValues.ts";
import { MAX_ABOVE } from "./kvkColumn.ts";
import { type FoundColumns, MATCH_FIELDS, type MatchColumns } from "./source.ts";
import { isEmptyRow, type Rows, textOf } from "./table.ts";

/** Columns that are used as the name if there is no better one. */
const OTHER_NAMES: readonly CsvField[] = ["statutoryName", "tradingNames"];
/** A header row has at least one of these headings. */
const DECIDING: readonly CsvField[] = [
  "name",
  ...OTHER_NAMES,
  "address",
  "postalCode",
  "rsin",
  "vatNumber",
  "lei",
  "euid",
  "kvkNumber",
];
/** @param kvkColumn the column with KVK numbers, if any */
export function findMatchColumns(rows: Rows, kvkColumn: number | undefined): FoundColumns {
  for (const [headRow, row] of rows.slice(0, MAX_ABOVE).entries()) {
    const titles = row.map(textOf);
    const sample = sampleOf(rows.slice(headRow + 1));
    const found = findColumns(titles, new Map(), sample);
    if ("missing" in found || !DECIDING.some((field) => found.has(field))) continue;
    const known = kvkColumn === undefined ? found : new Map(found).set("kvkNumber", kvkColumn);
    return { columns: columnsIn(withColumnsByValue(known, sample, titles)), headRow };
  }
  const known = new Map<CsvField, number>(kvkColumn === undefined ? [] : [["kvkNumber", kvkColumn]]);
  return { columns: columnsIn(withColumnsByValue(known, sampleOf(rows))), headRow: undefined };
}

function sampleOf(rows: Rows): readonly (readonly string[])[] {
  return rows
    .values()
    .filter((row) => !isEmptyRow(row))
    .take(SAMPLE_ROWS)
    .map((row) => row.map(textOf))
    .toArray();
}

function columnsIn(found: ReadonlyMap<CsvField, number>): MatchColumns {
  const fields = MATCH_FIELDS.flatMap((field) => {
    const column = found.get(field);
    return column === undefined ? [] : [[field, column] as const];
  });
  const other = OTHER_NAMES.map((field) => found.get(field)).find((column) => column !== undefined);
  return { ...(other !== undefined && { name: other }), ...Object.fromEntries(fields) };
}
