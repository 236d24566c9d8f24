/** A file of rows to match, read as a table. */
import { parse } from "csv-parse/sync";
import { dialectOf } from "../../lib/csvDialect.ts";
import { isJsonObject } from "../../lib/values.ts";
import { type RowReader, rowReader } from "../../match/rowQueries.ts";
import { UsageError } from "../command.ts";

export const ROW_FORMATS = ["csv", "jsonl"] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

export interface RowTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly read: RowReader;
}

const HEAD_BYTES = 4_096;

/** Reads a table. Without `format`, it follows from the file's name, else from its first character. @throws {UsageError} */
export function readRowTable(bytes: Buffer, file: string, format: RowFormat | undefined): RowTable {
  const text = textOf(bytes);
  const isJson = format === undefined ? isJsonLines(file, text) : format === "jsonl";
  return rowTable(isJson ? jsonTable(text) : csvTable(bytes, text));
}

/** @throws {UsageError} if no column is recognised */
export function rowTable({ header, rows }: Pick<RowTable, "header" | "rows">): RowTable {
  const read = rowReader(header);
  if (read !== undefined) return { header, rows, read };
  throw new UsageError(
    `No column has a name, a number or an address; the columns are ${header.map((name) => JSON.stringify(name)).join(", ")}. ` +
      "Name the columns in the first row, for example name, city, postalCode, street, houseNumber, kvkNumber, rsin, vatNumber, website.",
  );
}

/** Spreadsheets save UTF-8, or the Windows alphabet. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function isJsonLines(file: string, text: string): boolean {
  if (/\.csv$/i.test(file)) return false;
  return /\.(jsonl|ndjson)$/i.test(file) || text.trimStart().startsWith("{");
}

function csvTable(bytes: Buffer, text: string): Pick<RowTable, "header" | "rows"> {
  const { delimiter, hasSeparatorLine } = dialectOf(bytes.toString("latin1", 0, HEAD_BYTES));
  try {
    const [header = [], ...rows] = parse(text, {
      delimiter,
      from_line: hasSeparatorLine ? 2 : 1,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
    return { header, rows };
  } catch (error) {
    throw new UsageError(`The file cannot be read as CSV: ${error instanceof Error ? error.message : ""}.`);
  }
}

/** A column for each field of any line. A JSON text is a name. */
function jsonTable(text: string): Pick<RowTable, "header" | "rows"> {
  const objects = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => objectOn(line, index + 1));
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
