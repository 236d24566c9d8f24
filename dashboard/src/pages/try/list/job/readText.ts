import { detectDelimiter, parseCsv } from "hucre/csv";
import { dialectOf } from "../../../../../../src/lib/csvDialect.ts";
import { checkText } from "./bounds.ts";
import { readNumber } from "./lookupKind.ts";
import { isEmptyRow, RefusedFileError, type Rows, type Table, textOf, widthOf } from "./table.ts";

/** Characters that decide about the separator. */
const MAX_HEAD = 100_000;
/** The minimum share of numbers at which lines of different widths are a list. */
const MIN_NUMBERS = 0.6;
const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes a file: UTF-8, UTF-16 with a byte order mark (Excel's "Unicode text"), otherwise Windows-1252.
 * @throws {RefusedFileError} `binary` when it is not text
 */
export function decodedText(bytes: Uint8Array): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const [encoding] = marked ?? ["utf-8"];
  const isBinary = encoding === "utf-8" && bytes.includes(0);
  if (isBinary) throw new RefusedFileError("binary");
  const text = decodedAs(encoding, bytes) ?? new TextDecoder("windows-1252").decode(bytes);
  if (isMostlyControls(text)) throw new RefusedFileError("binary");
  return text;
}

function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Characters that text does not have: binary files may lack a zero byte. */
function isMostlyControls(text: string): boolean {
  const sample = text.slice(0, 4_000);
  const controls = sample.match(/[\u0001-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  return controls * 100 > sample.length;
}

/**
 * Reads CSV with any separator, cells copied from a spreadsheet, or just numbers.
 * @throws {RefusedFileError} when it is too large
 */
export function readText(text: string): Table {
  const [, given, rest = text] = /^\uFEFF?"?sep=([^"\r\n])"?[;,\t]*\r?\n([\s\S]*)$/i.exec(text) ?? [];
  checkText(rest);
  const detected = detectDelimiter(rest);
  // Names and addresses contain commas.
  const delimiter = given ?? (detected === "," ? dialectOf(rest.slice(0, MAX_HEAD)).delimiter : detected);
  checkText(rest, delimiter);
  const rows = parseCsv(rest, { delimiter }).map((row) => row.map(textOf));
  return { kind: "csv", sheets: [""], sheet: 0, rows: asList(rows) ?? rows };
}

/**
 * Returns numbers separated by commas or spaces as one column; undefined when the text is a table. Rows of the same
 * width are a table, even if all cells look like numbers: the customer chooses the column.
 */
function asList(rows: Rows): Rows | undefined {
  const filled = rows.filter((row) => !isEmptyRow(row)).map((row) => row.map((cell) => textOf(cell).trim()));
  const width = widthOf(filled);
  const isTable = width > 1 && filled.length > 1 && filled.every((row) => row.length === width);
  if (isTable) return undefined;
  const tokens = filled.flatMap((row) =>
    row.filter(Boolean).flatMap((part) => (isNumbers(part) ? part.split(/\s+/) : [part])),
  );
  if (tokens.length === filled.length) return undefined;
  const numbers = tokens.filter((token) => readNumber(token).kind !== "other").length;
  return width === 1 || numbers >= tokens.length * MIN_NUMBERS ? tokens.map((token) => [token]) : undefined;
}

/** Matches several numbers separated by spaces, not one number in groups. */
function isNumbers(part: string): boolean {
  const tokens = part.split(/\s+/);
  return tokens.length > 1 && tokens.every((token) => /^\d{7,8}$/.test(token));
}
