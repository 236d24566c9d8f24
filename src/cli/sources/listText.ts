/** A list in a file, as text or as a table: what the account page reads, too. */
import { HEAD_BYTES, recognise } from "../../import/open/content.ts";
import { dialectOf } from "../../lib/csvDialect.ts";
import { csvRows, endOfLine } from "../../lib/csvRows.ts";
import { UsageError } from "../command.ts";

/** Rows above the headings: a title, a date, an empty row. */
const MAX_ABOVE = 20;
const MARKS: Readonly<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

/**
 * Reads UTF-8, UTF-16 with a byte order mark, or the Windows alphabet.
 * @throws {UsageError} for a workbook and other files that are no text
 */
export function textIn(bytes: Buffer, file: string): string {
  const encoding = MARKS[bytes.toString("hex", 0, 2)];
  const content = recognise(bytes.subarray(0, HEAD_BYTES));
  if (encoding === undefined && content.kind === "unusable")
    throw new UsageError(`${file} is ${content.what}. ${content.advice}`);
  if (content.kind === "zip" || content.kind === "gzip") {
    throw new UsageError(
      `${file} is an Office document, such as an Excel sheet, or an archive. Save the sheet as CSV (UTF-8).`,
    );
  }
  try {
    return new TextDecoder(encoding ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Finds the table in a text: it begins with the first row that names columns, or else with the first row. */
export function tableIn(text: string, isHeader: (cells: readonly string[]) => boolean): ListTable {
  const all = Buffer.from(text);
  const declared = dialectOf(text.slice(0, HEAD_BYTES));
  let rest = all;
  if (declared.hasSeparatorLine) rest = all.subarray(endOfLine(all) + (text.includes("\r\n") ? 2 : 1));
  const tables: ListTable[] = [];
  while (rest.length > 0 && tables.length < MAX_ABOVE) {
    const { delimiter } = declared.hasSeparatorLine
      ? declared
      : dialectOf(rest.toString("latin1", 0, HEAD_BYTES));
    const table = { bytes: rest, delimiter };
    const [header, next] = csvRows(rest, delimiter).take(2);
    if (header !== undefined && isHeader(header.cells)) return table;
    tables.push(table);
    rest = rest.subarray(next?.start ?? rest.length);
  }
  return tables[0] ?? { bytes: all, delimiter: declared.delimiter };
}

export interface ListTable {
  readonly bytes: Buffer;
  readonly delimiter: string;
}
