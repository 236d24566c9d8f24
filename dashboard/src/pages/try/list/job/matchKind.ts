/** Lists of companies to match by name, address or number. Every row is matched on its own. */
import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { readQuery, type SentQuery } from "../../../../../../src/match/readQuery.ts";
import { rowReader } from "../../../../../../src/match/rowQueries.ts";
import type { MatchQuery } from "../../../../../../src/match/types.ts";
import {
  type ListItems,
  type ListRow,
  MATCH_FIELDS,
  type MatchColumns,
  type MatchReading,
} from "./source.ts";
import { type Cell, isEmptyRow, type Rows, textOf } from "./table.ts";

const PREVIEWED = 10;
const NUMBERS = ["kvkNumber", "rsin", "vatNumber"] as const;

type ReadRow = (cells: readonly Cell[]) => SentQuery;

/** Returns a reader for rows, by the rules of the service for the same columns. */
function readerOf(columns: MatchColumns): ReadRow {
  const header: string[] = [];
  for (const field of MATCH_FIELDS) {
    const column = columns[field];
    if (column !== undefined) header[column] = field;
  }
  const names = Array.from(header, (field) => field ?? "");
  const read = rowReader(names);
  return (cells) =>
    read?.(names.map((name, column) => (name === "" ? "" : textOf(cells[column])))).sent ?? {};
}

/** Returns the query of a row; undefined if it has none. A number that cannot be right is left out. */
function queryOf(sent: SentQuery): MatchQuery | undefined {
  const fits = { ...sent };
  for (const field of NUMBERS) {
    if (fits[field] !== undefined && "message" in readQuery({ [field]: fits[field] })) delete fits[field];
  }
  const query = readQuery(fits);
  return "message" in query ? undefined : query;
}

function items(table: Rows, { columns, headRow = -1 }: MatchReading): ListItems {
  const read = readerOf(columns);
  const rows: ListRow[] = [];
  const firstQueries: { key: string; query: MatchQuery }[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [at, cells] of table.entries()) {
    if (at <= headRow || isEmptyRow(cells)) continue;
    const sent = read(cells);
    const query = queryOf(sent);
    const key = query === undefined ? undefined : String(at);
    rows.push({ at, text: labelOf(query ?? sent), key, why: query === undefined ? "invalid" : undefined });
    if (query === undefined || key === undefined) continue;
    bytes += encoder.encode(lineOf(query)).length;
    if (firstQueries.length < PREVIEWED) firstQueries.push({ key, query });
  }
  const keys = rows.flatMap(({ key }) => key ?? []);
  const empty = rows.length - keys.length;
  const isTooLarge = keys.length > JOB_BOUNDS.maxNumbers || bytes > JOB_BOUNDS.maxMatchBytes;
  return { rows, keys, empty, short: 0, other: 0, examples: [], firstQueries, isTooLarge };
}

/** The name of a row, otherwise its number or address, and its city. */
function labelOf({
  name,
  kvkNumber,
  rsin,
  vatNumber,
  street,
  houseNumber,
  postalCode,
  city,
}: SentQuery): string {
  const address = [street, houseNumber, postalCode].filter(Boolean).join(" ");
  return [name ?? kvkNumber ?? rsin ?? vatNumber ?? address, city].filter(Boolean).join(", ");
}

const lineOf = (query: MatchQuery) => `${JSON.stringify(query)}\n`;

export const matchKind = {
  items,
  lines(table: Rows, { columns }: MatchReading, keys: readonly string[]): string[] {
    const read = readerOf(columns);
    return keys.map((key) => lineOf(queryOf(read(table[Number(key)] ?? [])) ?? {}));
  },
};
