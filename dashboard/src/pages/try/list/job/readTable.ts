import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { countCells, MAX_CELLS } from "./bounds.ts";
import { decoded, readText } from "./readText.ts";
import { bounded, RefusedFileError, type Table } from "./table.ts";

/** The maximum size of a workbook when unpacked, so that a phone can read it. A list of 50,000 customers needs a tenth of it. */
const MAX_UNPACKED_BYTES = 150_000_000;

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
  await checkUnpacked(bytes);
  const { readXlsx } = await import("hucre/xlsx").catch((cause: unknown) => {
    throw new RefusedFileError("unavailable", { cause });
  });
  const { sheets } = await readXlsx(bytes).catch((cause: unknown) => {
    throw new RefusedFileError("damaged", { cause });
  });
  const filled = sheets.findIndex(({ rows }) => rows.some((row) => row.some((cell) => cell !== null)));
  const sheet = requested !== undefined && requested < sheets.length ? requested : Math.max(0, filled);
  return { kind: "xlsx", sheets: sheets.map(({ name }) => name), sheet, rows: sheets[sheet]?.rows ?? [] };
}

/** @throws {RefusedFileError} for a workbook that would take too much memory */
async function checkUnpacked(bytes: Uint8Array): Promise<void> {
  const entries: Entry[] = [];
  if (unpackedBytes(bytes, entries) > MAX_UNPACKED_BYTES) throw new RefusedFileError("tooLarge");
  let left = MAX_CELLS;
  for (const { isDeflated, packed } of entries) {
    const stream = new Blob([Uint8Array.from(packed)]).stream();
    const xml = isDeflated ? stream.pipeThrough(new DecompressionStream("deflate-raw")) : stream;
    left -= await countCells(xml, left).catch((cause: unknown) => {
      throw cause instanceof RefusedFileError ? cause : new RefusedFileError("damaged", { cause });
    });
  }
}

interface Entry {
  readonly isDeflated: boolean;
  readonly packed: Uint8Array;
}

/**
 * The size that the entries of a zip archive declare (APPNOTE 6.3.10, 4.3.12). The library unpacks no entry beyond its declared size, so
 * this bounds the memory that a hostile file takes. Infinite where a size is not declared or is beyond four gigabytes.
 * @param entries gets the entries
 */
function unpackedBytes(bytes: Uint8Array, entries: Entry[]): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = bytes.findLastIndex(
    (byte, at) => byte === 0x50 && at + 22 <= bytes.length && view.getUint32(at) === 0x504b0506,
  );
  if (directory === -1) throw new RefusedFileError("damaged");
  if (view.getUint32(directory + 12, true) === 0xffffffff) return Infinity;
  let sum = 0;
  let at = view.getUint32(directory + 16, true);
  if (at === 0xffffffff || view.getUint16(directory + 10, true) === 0xffff) return Infinity;
  while (at + 46 <= bytes.length && view.getUint32(at) === 0x504b0102) {
    const packed = view.getUint32(at + 20, true);
    const declared = view.getUint32(at + 24, true);
    // An empty entry deflates to two bytes.
    const isHidden = declared === 0 && (packed > 64 || (packed === 0 && view.getUint16(at + 10, true) === 8));
    sum += isHidden ? Infinity : declared;
    const local = view.getUint32(at + 42, true);
    if (local + 30 > bytes.length) throw new RefusedFileError("damaged");
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    entries.push({
      isDeflated: view.getUint16(at + 10, true) === 8,
      packed: bytes.subarray(from, from + packed),
    });
    at += 46 + [28, 30, 32].reduce((length, field) => length + view.getUint16(at + field, true), 0);
  }
  return sum;
}
