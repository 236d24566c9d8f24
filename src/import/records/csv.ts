import { isUtf8 } from "node:buffer";
import type { Rejection } from "../../company/rejection.ts";
import { type Delimiter, dialectOf } from "../../lib/csvDialect.ts";
import { endOfRow, splitCells } from "../../lib/csvRows.ts";
import { peek } from "../peek.ts";
import { type Cut, type Cutter, cutRecords, type RawRecord } from "./cutRecords.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export type Encoding = "utf8" | "latin1";

/** A row of the LEI golden copy with all its columns is 10 KB at most. */
const MAX_ROW_BYTES = 2 ** 20;
const HEADER_BYTES = 256 * 1024;

export const QUOTE_FAULT = "a quote is not closed, or text follows a closing quote";
export const CUT_FAULT = "the file ends in the middle of this row: where it was cut off, fetch it again";
export const ENCODING_FAULT =
  "is not valid UTF-8 (for a whole file in the Windows alphabet: --encoding latin1)";

export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[]; readonly record: string }
  | { readonly line: number; readonly rejection: Rejection; readonly record: string };

export interface CsvFile {
  readonly header: readonly string[];
  readonly rows: AsyncIterable<CsvRow>;
}

export interface CsvOptions {
  readonly encoding: Encoding;
  /** Only rows with these bytes are read; the others are counted. */
  readonly only?: Buffer;
  /** Called for each row that `only` skips. */
  readonly onOther?: () => void;
  /** Called when the last row is not ended by a line break. */
  readonly onUnended?: (() => void) | undefined;
}

/**
 * Reads the header and returns the rows with as many cells. The delimiter is the one of `;`, `,` and tab that the
 * header contains most often; Excel's `sep=;` line is supported. Cells follow RFC 4180: quotes are doubled within
 * quotes.
 * @returns undefined when there is no header at all
 */
export async function readCsv(
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions,
): Promise<CsvFile | undefined> {
  const { head, whole } = await peek(chunks, HEADER_BYTES);
  const { delimiter, hasSeparatorLine } = dialectOf(decode(head, "latin1"));
  const records = cutRecords(whole, rowCutter(delimiter.charCodeAt(0)), MAX_ROW_BYTES);
  if (hasSeparatorLine) await records.next();
  const first = await records.next();
  if (first.done === true || first.value.fault !== undefined) {
    await records.return(undefined);
    return undefined;
  }
  if (first.value.isUnended) options.onUnended?.();
  const header = splitCells(decode(first.value.bytes, options.encoding), delimiter).map((cell) =>
    cell.trim(),
  );
  return { header, rows: rowsOf(records, header.length, delimiter, options) };
}

async function* rowsOf(
  records: AsyncGenerator<RawRecord>,
  width: number,
  delimiter: Delimiter,
  options: CsvOptions,
): AsyncGenerator<CsvRow> {
  for await (const { line, bytes, fault, isUnended = false } of records) {
    if (isUnended) options.onUnended?.();
    const isOther = options.only !== undefined && bytes.indexOf(options.only) === -1;
    if (isOther && !isUnended) {
      options.onOther?.();
      continue;
    }
    const record = decode(bytes, options.encoding);
    if (isUnended && (fault === QUOTE_FAULT || splitCells(record, delimiter).length < width)) {
      yield { line, rejection: { reason: CUT_FAULT }, record };
    } else if (isOther) {
      options.onOther?.();
    } else if (fault !== undefined) {
      yield { line, rejection: { reason: fault }, record };
    } else if (options.encoding === "utf8" && !isUtf8(bytes)) {
      yield { line, rejection: { reason: ENCODING_FAULT }, record };
    } else {
      const cells = splitCells(record, delimiter);
      while (cells.length > width && cells.at(-1) === "") cells.pop();
      // Spreadsheets leave rows of delimiters below a table.
      if (cells.every((cell) => cell === "")) continue;
      if (cells.length === width) yield { line, cells, record };
      else yield { line, rejection: wrongWidth(cells.length, width), record };
    }
  }
}

function wrongWidth(cells: number, width: number): Rejection {
  return {
    reason: "has another number of cells than the header",
    detail: `${cells} instead of ${width}`,
  };
}

/**
 * A quote opens a quoted cell only at the beginning of the cell; elsewhere it is a letter like any other. If the quotes
 * of a row do not match, the row ends at its first line break: one bad quote costs one row.
 */
function rowCutter(delimiter: number): Cutter {
  return (buffer, start, atEnd) => {
    const end = endOfRow(buffer, start, delimiter, atEnd);
    if (end === "more") return undefined;
    if (end >= 0) return cutAt(buffer, start, end, atEnd);
    const lineEnd = buffer.indexOf(LINE_FEED, start);
    if (lineEnd === -1 && !atEnd) return undefined;
    const cut = cutAt(buffer, start, lineEnd === -1 ? buffer.length : lineEnd, true);
    return cut === undefined ? undefined : { ...cut, fault: QUOTE_FAULT };
  };
}

function cutAt(buffer: Buffer, start: number, end: number, atEnd: boolean): Cut | undefined {
  if (buffer[end] === CARRIAGE_RETURN) {
    if (end + 1 === buffer.length && !atEnd) return undefined;
    return { from: start, to: end, next: buffer[end + 1] === LINE_FEED ? end + 2 : end + 1 };
  }
  const next = Math.min(end + 1, buffer.length);
  return end < buffer.length
    ? { from: start, to: end, next }
    : { from: start, to: end, next, isUnended: true };
}

const WINDOWS_1252 = new TextDecoder("windows-1252");

function decode(bytes: Buffer, encoding: Encoding): string {
  return encoding === "utf8" ? bytes.toString("utf8") : WINDOWS_1252.decode(bytes);
}
