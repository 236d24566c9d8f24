/** A list in a file, as text or as a table: what the account page reads, too. */
import { HEAD_BYTES, recognise } from "../../import/open/content.ts";
import { dialectOf } from "../../lib/csvDialect.ts";
import { csvRows, endOfLine } from "../../lib/csvRows.ts";
import { UsageError } from "../command.ts";

/** Rows above the headings: a title, a date, an empty row. */
const MAX_ABOVE = 20;
const MARKS = { fffe: "utf-16le", feff: "utf-16be" } as const;

/** Reads UTF-8, UTF-16 with a byte order mark, or the Windows alphabet. @throws {UsageError} for a workbook and other files that are no text */
export function textIn(bytes: Buffer, file: string): string {
  const mark = Object.entries(MARKS).find(([start]) => bytes.toString("hex", 0, 2) === start);
  const content = recognise(bytes.subarray(0, HEAD_BYTES));
  if (mark === undefined && content.kind === "unusable")
    throw new UsageError(`${file} is ${content.what}. ${content.advice}`);
  if (content.kind === "zip" || content.kind === "gzip") {
    throw new UsageError(
      `${file} is an Office document, such as an Excel sheet, or an archive. Save the sheet as CSV (UTF-8).`,
    );
  }
  try {
    return new TextDecoder(mark?.[1] ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Finds the table in a text: it begins with the first row that names columns, or else with the first row. */
export function tableIn(
  text: string,
  isHeader: (cells: readonly string[]) => boolean,
): { readonly bytes: Buffer; readonly delimiter: string } {
  const all = Buffer.from(text);
  const { hasSeparatorLine, delimiter: declared } = dialectOf(text.slice(0, HEAD_BYTES));
  const first = hasSeparatorLine ? endOfLine(all) + (text.includes("\r\n") ? 2 : 1) : 0;
  for (let row = 0, start = first; row < MAX_ABOVE; row += 1) {
    const bytes = all.subarray(start);
    const delimiter = hasSeparatorLine
      ? declared
      : dialectOf(bytes.toString("latin1", 0, HEAD_BYTES)).delimiter;
    const [header, next] = csvRows(bytes, delimiter).take(2);
    if (header !== undefined && isHeader(header.cells)) return { bytes, delimiter };
    if (next === undefined) break;
    start += next.start;
  }
  const bytes = all.subarray(first);
  return {
    bytes,
    delimiter: hasSeparatorLine ? declared : dialectOf(bytes.toString("latin1", 0, HEAD_BYTES)).delimiter,
  };
}
