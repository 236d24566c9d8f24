/** Reads queries from the rows of a table, whose columns are recognised as in imports. */
import { mapAddress } from "../company/table/address.ts";
import { type ColumnMap, type CsvField, findColumns } from "../company/table/columns.ts";
import { SAMPLE_ROWS, withColumnsByValue } from "../company/table/columnValues.ts";
import { TableRow } from "../company/table/row.ts";
import { plainHeading } from "../contract/headings.ts";
import { DECIMALS, present, tidy } from "../lib/values.ts";
import type { SentQuery } from "./readQuery.ts";

/** Column names of the caller's own id of a row, see {@link plainHeading}, the clearest first. */
const ID_HEADINGS = (
  "id rowid recordid externalid reference ref referentie kenmerk klantnummer klantnr klantid customerid " +
  "customernumber relatienummer relatienr relatieid debiteurnummer debiteurnr debiteurennummer crediteurnummer " +
  "crediteurnr crediteurennummer leveranciersnummer leveranciernummer supplierid accountid vendorid clientid " +
  "leveranciersnr leveranciernr suppliernumber vendornumber accountnumber accountno clientnumber debiteurid " +
  "crediteurid relatiecode klantcode debiteurcode debiteurencode crediteurcode crediteurencode leverancierscode " +
  "leveranciercode customercode code nr nummer number no key debiteur crediteur relatie klant leverancier customer supplier"
).split(" ");

const DECIDING: readonly CsvField[] = [
  "name",
  "tradingNames",
  "statutoryName",
  "kvkNumber",
  "rsin",
  "vatNumber",
  "lei",
  "euid",
  "address",
];

export { SAMPLE_ROWS };

/** A row with the query in it. */
export interface RowQuery {
  /** The caller's own id of the row. */
  readonly id?: string;
  readonly sent: SentQuery;
}

/** The fields that a query is made of. */
const QUERY_FIELDS: readonly CsvField[] = [
  ...DECIDING,
  ...(["street", "houseNumber", "houseLetter", "houseNumberAddition", "poBox", "postalCode"] as const),
  ...(["city", "country", "isShielded", "websites"] as const),
];

export type RowReader = ((cells: readonly string[]) => RowQuery) & {
  /** The field that is read from each column, or the caller's `id`. */
  readonly fields: readonly (CsvField | "id" | undefined)[];
};

/**
 * Returns a reader for the rows below a header; undefined if no column has a name, a number or an address.
 * @param sample the first rows, which show what columns hold
 * @param map columns that the caller named
 * @param isTable whether values alone may show what a column holds
 */
export function rowReader(
  header: readonly string[],
  sample: readonly (readonly string[])[] = [],
  map: ColumnMap = new Map(),
  isTable = sample.length > 0,
): RowReader | undefined {
  const named = findColumns(header, map, sample);
  // A first row without any name of a column may be a company.
  if ("missing" in named || named.size === 0) return undefined;
  const found = isTable ? withColumnsByValue(named, sample, header) : named;
  if (!isDescribed(found)) return undefined;
  const columns = new Map([...found].filter(([field]) => map.get(field) !== ""));
  const taken = new Set(columns.values());
  const names = header.map((heading, at) => (taken.has(at) ? "" : plainHeading(heading)));
  const idColumn = ID_HEADINGS.map((heading) => names.indexOf(heading)).find((at) => at !== -1);
  const nameColumn = columns.get("name");
  const read = (cells: readonly string[]) => {
    const row = new TableRow(
      nameColumn === undefined ? cells : withNameOnOneLine(cells, nameColumn),
      columns,
    );
    const id = idColumn === undefined ? undefined : tidy(cells[idColumn] ?? "");
    return present<RowQuery>({ id, sent: queryOf(row) });
  };
  const fields = header.map((_, at) =>
    at === idColumn ? "id" : QUERY_FIELDS.find((field) => columns.get(field) === at),
  );
  return Object.assign(read, { fields });
}

function isDescribed(columns: ReadonlyMap<CsvField, number>): boolean {
  const hasAddress = columns.has("postalCode") && (columns.has("houseNumber") || columns.has("street"));
  return hasAddress || DECIDING.some((field) => columns.has(field));
}

/** A line break separates a name from a department or a person, which a space would not show. */
function withNameOnOneLine(cells: readonly string[], column: number): readonly string[] {
  const name = cells[column] ?? "";
  return name.includes("\n") ? cells.with(column, name.trim().replace(/(?<!\s)\s*\n\s*/g, ", ")) : cells;
}

function queryOf(row: TableRow): SentQuery {
  const address = mapAddress(row);
  return present<SentQuery>({
    name: row.text("name") ?? row.text("statutoryName") ?? row.list("tradingNames", /;/)?.[0],
    city: address?.city,
    postalCode: address?.postalCode,
    street: address?.street,
    // An address has no number without a street, but a postal code with a number is enough.
    houseNumber:
      address?.houseNumber ?? (address?.street === undefined ? row.text("houseNumber") : undefined),
    kvkNumber: row.given("kvkNumber"),
    rsin: row.given("rsin")?.replace(DECIMALS, ""),
    vatNumber: row.given("vatNumber"),
    lei: row.given("lei"),
    euid: row.given("euid"),
    website: row.list("websites", /[;,\s]+/)?.[0],
  });
}
