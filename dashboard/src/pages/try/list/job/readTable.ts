import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { countCells, MAX_CELLS, MAX_UNPACKED_BYTES } from "./bounds.ts";
import { decoded, readText } from "./readText.ts";
import { bounded, RefusedFileError, type Table } from "./table.ts";

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The magic number of Excel files before 2007, and of workbooks with a password. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The magic number of PDF, whose first kilobytes may be plain text. Other binary files are recognised by their control characters. */
const PDF = [0x25, 0x50, 0x44, 0x46];

/**
 * Reads a file as a table by its content, not its name: text, or a workbook (XLSX).
 * @param sheet a sheet of a workbook; the first non-empty one by default
 * @throws {RefusedFileError} for any other file
 */
export async function readTable(bytes: Uint8Array, sheet?: number): Promise<Table> {
  if (bytes.length > JOB_BOUNDS.maxMatchBytes) throw new RefusedFileError("tooLarge");
  if (startsWith(bytes, OLE)) throw new RefusedFileError("oldExcel");
  if (startsWith(bytes, PDF)) throw new RefusedFileError("binary");
  const table = startsWith(bytes, ZIP) ? await readWorkbook(bytes, sheet) : readText(decoded(bytes));
  return { ...table, rows: bounded(table.rows) };
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

async function readWorkbook(bytes: Uint8Array, requested: number | undefined): Promise<Table> {
  const { readXlsx } = await import("hucre/xlsx").catch((cause: unknown) => {
    throw new RefusedFileError("unavailable", { cause });
  });
  const read = checkUnpacked(bytes).then(() => readXlsx(bytes));
  const { sheets } = await read.catch((cause: unknown) => {
    throw cause instanceof RefusedFileError ? cause : new RefusedFileError("damaged", { cause });
  });
  const filled = sheets.findIndex(({ rows }) => rows.some((row) => row.some((cell) => cell !== null)));
  const sheet = requested !== undefined && requested < sheets.length ? requested : Math.max(0, filled);
  return { kind: "xlsx", sheets: sheets.map(({ name }) => name), sheet, rows: sheets[sheet]?.rows ?? [] };
}

/**
 * Bounds the memory that a workbook takes: by the size that the entries of its zip archive declare (APPNOTE 6.3.10, 4.3.12), beyond which the
 * library unpacks no entry, and by its cells.
 * @throws {RefusedFileError} also where a size is not declared or is beyond four gigabytes
 */
async function checkUnpacked(bytes: Uint8Array): Promise<void> {
  const entries: ReadableStream<Uint8Array>[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = bytes.findLastIndex(
    (byte, at) => byte === 0x50 && at + 22 <= bytes.length && view.getUint32(at) === 0x504b0506,
  );
  if (directory === -1) throw new RefusedFileError("damaged");
  let at = view.getUint32(directory + 16, true);
  const isUndeclared = [at, view.getUint32(directory + 12, true)].includes(0xffffffff);
  let sum = isUndeclared || view.getUint16(directory + 10, true) === 0xffff ? Infinity : 0;
  while (at + 46 <= bytes.length && view.getUint32(at) === 0x504b0102) {
    const packed = view.getUint32(at + 20, true);
    const declared = view.getUint32(at + 24, true);
    // An empty entry deflates to two bytes.
    const isHidden = declared === 0 && (packed > 64 || (packed === 0 && view.getUint16(at + 10, true) === 8));
    sum += isHidden ? Infinity : declared;
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const stored = new Blob([bytes.slice(start, start + packed)]).stream();
    const isDeflated = view.getUint16(at + 10, true) === 8;
    entries.push(isDeflated ? stored.pipeThrough(new DecompressionStream("deflate-raw")) : stored);
    at += 46 + [28, 30, 32].reduce((length, field) => length + view.getUint16(at + field, true), 0);
  }
  if (sum > MAX_UNPACKED_BYTES) throw new RefusedFileError("tooLarge");
  let left = MAX_CELLS;
  for (const entry of entries) left -= await countCells(entry, left);
}
