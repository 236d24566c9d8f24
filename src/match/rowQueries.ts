/** Reads queries from the rows of a table, whose columns are recognised as in imports. */
import { mapAddress } from "../company/table/address.ts";
import { type CsvField, findColumns } from "../company/table/columns.ts";
import { Row } from "../company/table/row.ts";
import { plainHeading } from "../contract/headings.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { DECIMALS, present, tidy } from "../lib/values.ts";
import type { SentQuery } from "./readQuery.ts";

/** Column names of the caller's own id of a row, see {@link plainHeading}. */
const ID_HEADINGS = (
  "id rowid recordid externalid reference ref referentie kenmerk klantnummer klantnr klantid customerid " +
  "customernumber relatienummer relatienr relatieid debiteurnummer debiteurnr debiteurennummer crediteurnummer " +
  "crediteurnr crediteurennummer leveranciersnummer leveranciernummer supplierid accountid"
).split(" ");

const DECIDING: readonly CsvField[] = [
  "name",
  "tradingNames",
  "statutoryName",
  "kvkNumber",
  "rsin",
  "vatNumber",
  "address",
];

/** A row with the query in it. */
export interface RowQuery {
  /** The caller's own id of the row. */
  readonly id?: string;
  readonly sent: SentQuery;
}

export type RowReader = (cells: readonly string[]) => RowQuery;

/** Returns a reader for the rows below a header; undefined if no column has a name, a number or an address. */
export function rowReader(header: readonly string[]): RowReader | undefined {
  const columns = findColumns(header, new Map());
  if ("missing" in columns) return undefined;
  const hasAddress = columns.has("postalCode") && (columns.has("houseNumber") || columns.has("street"));
  if (!DECIDING.some((field) => columns.has(field)) && !hasAddress) return undefined;
  const taken = new Set(columns.values());
  const names = header.map(plainHeading);
  const idColumn = ID_HEADINGS.map((heading) => names.indexOf(heading)).find(
    (index) => index !== -1 && !taken.has(index),
  );
  const nameColumn = columns.get("name");
  return (cells) => {
    const row = new Row(nameColumn === undefined ? cells : withNameOnOneLine(cells, nameColumn), columns);
    const id = idColumn === undefined ? undefined : tidy(cells[idColumn] ?? "");
    return present<RowQuery>({ id, sent: queryOf(row) });
  };
}

/** A line break separates a name from a department or a person, which a space would not show. */
function withNameOnOneLine(cells: readonly string[], column: number): readonly string[] {
  const name = cells[column] ?? "";
  return name.includes("\n") ? cells.with(column, name.trim().replace(/(?<!\s)\s*\n\s*/g, ", ")) : cells;
}

function queryOf(row: Row): SentQuery {
  const address = mapAddress(row);
  const kvkNumber = row.text("kvkNumber");
  return present<SentQuery>({
    name: row.text("name") ?? row.text("statutoryName") ?? row.list("tradingNames", /;/)?.[0],
    city: address?.city,
    postalCode: address?.postalCode,
    street: address?.street,
    // An address has no number without a street, but a postal code with a number is enough.
    houseNumber:
      address?.houseNumber ?? (address?.street === undefined ? row.text("houseNumber") : undefined),
    kvkNumber: kvkNumber === undefined ? undefined : kvkDigitsOf(kvkNumber),
    rsin: row.text("rsin")?.replace(DECIMALS, ""),
    vatNumber: row.text("vatNumber"),
    website: row.list("websites", /[;,\s]+/)?.[0],
  });
}
