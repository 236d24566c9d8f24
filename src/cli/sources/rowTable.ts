/** A file of rows to match, read as a table. */
import { type ColumnMap, findColumns } from "../../company/table/columns.ts";
import { quoted } from "../../contract/quoting.ts";
import { csvRows } from "../../lib/csvRows.ts";
import { isJsonObject } from "../../lib/values.ts";
import { type RowReader, rowReader, SAMPLE_ROWS } from "../../match/rowQueries.ts";
import { UsageError } from "../command.ts";
import { tableIn, textIn } from "./listText.ts";

export const ROW_FORMATS = ["csv", "jsonl"] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

export interface RowTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly read: RowReader;
}

/**
 * Reads a table. Without `format`, it follows from the file's name, else from its first character.
 * @throws {UsageError}
 */
export function readRowTable(
  bytes: Buffer,
  file: string,
  { format, map }: { readonly format?: RowFormat | undefined; readonly map?: ColumnMap | undefined },
): RowTable {
  const text = textIn(bytes, file);
  const isJson = format === undefined ? isJsonLines(file, text) : format === "jsonl";
  return rowTable(isJson ? jsonTable(text) : csvTable(text, map), map);
}

/** @throws {UsageError} if no column is recognised */
export function rowTable({ header, rows }: Pick<RowTable, "header" | "rows">, map?: ColumnMap): RowTable {
  const end = rows.findLastIndex(isFilled) + 1;
  const read = rowReader(header, rows.filter(isFilled).slice(0, SAMPLE_ROWS), map);
  if (read !== undefined) return { header, rows: rows.slice(0, end), read };
  const found = findColumns(header, map ?? new Map());
  const problem =
    "missing" in found
      ? `There is no column ${quoted(found.missing)}`
      : "No column has a name, a number or an address";
  throw new UsageError(
    `${problem}; the columns are ${header.map((name) => JSON.stringify(name)).join(", ")}. ` +
      "Name the columns in the first row, for example name, city, postalCode, street, houseNumber, kvkNumber, rsin, vatNumber, lei, euid, website, or with --map.",
  );
}

const isFilled = (cells: readonly string[]) => cells.some((cell) => cell.trim() !== "");

function isJsonLines(file: string, text: string): boolean {
  if (/\.csv$/i.test(file)) return false;
  return /\.(jsonl|ndjson)$/i.test(file) || text.trimStart().startsWith("{");
}

function csvTable(text: string, map?: ColumnMap): Pick<RowTable, "header" | "rows"> {
  const { bytes, delimiter } = tableIn(text, (cells) => rowReader(cells, [], map) !== undefined);
  const [header = [], ...rows] = csvRows(bytes, delimiter).map(({ cells }) => cells);
  return { header, rows };
}

/** A column for each field of any line. A JSON text is a name. */
function jsonTable(text: string): Pick<RowTable, "header" | "rows"> {
  const objects = text
    .split("\n")
    .map((line, index) => (line.trim() === "" ? {} : objectOn(line, index + 1)));
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const rows = objects.map((object) => header.map((field) => cellOf(object[field])));
  return { header, rows };
}

function objectOn(line: string, number: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (typeof value === "string") return { name: value };
  if (isJsonObject(value)) return value;
  throw new UsageError(`Row ${number} must be a JSON object or a JSON text.`);
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
