import type { Sheet } from "hucre/xlsx";
import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { type Extent, extentOf, MAX_CELLS, MAX_UNPACKED_BYTES } from "./bounds.ts";
import { findIn } from "./kinds.ts";
import { withLeadingZeros } from "./leadingZeros.ts";
import { decodedText, readText } from "./readText.ts";
import { bounded, columnLetter, isEmptyRow, RefusedFileError, type Table, textOf } from "./table.ts";

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The magic number of Excel files before 2007, and of workbooks with a password. */
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/**
 * The magic number of PDF, whose first kilobytes may be plain text. Other binary files are recognised by their control
 * characters.
 */
const PDF = [0x25, 0x50, 0x44, 0x46];
/** Rows by which a sheet and its formats are judged. */
const MAX_SAMPLED = 1_000;

/**
 * Reads a file as a table by its content, not its name: text, or a workbook (XLSX).
 * @param sheet a sheet of a workbook; by default the visible one that looks most like a list
 * @throws {RefusedFileError} for any other file
 */
export async function readTable(bytes: Uint8Array, sheet?: number): Promise<Table> {
  if (bytes.length > JOB_BOUNDS.maxMatchBytes) throw new RefusedFileError("tooLarge");
  if (startsWith(bytes, OLE)) throw new RefusedFileError("oldExcel");
  if (startsWith(bytes, PDF)) throw new RefusedFileError("binary");
  const table = startsWith(bytes, ZIP) ? await readWorkbook(bytes, sheet) : readText(decodedText(bytes));
  return { ...table, rows: bounded(table.rows) };
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

async function readWorkbook(bytes: Uint8Array, requested: number | undefined): Promise<Table> {
  const { readXlsx } = await import("hucre/xlsx").catch((cause: unknown) => {
    throw new RefusedFileError("unavailable", { cause });
  });
  try {
    const extents = await extentsIn(bytes);
    const range = filledRange(extents);
    const { sheets } = await readXlsx(bytes, { range });
    const sheet = requested !== undefined && requested < sheets.length ? requested : likeliestSheet(sheets);
    const sampling = { range, sheets: [sheet], readStyles: true, maxRows: MAX_SAMPLED };
    const sampled = extents.some(({ hasZeros }) => hasZeros) ? await readXlsx(bytes, sampling) : undefined;
    const rows = withLeadingZeros(sheets[sheet]?.rows ?? [], sampled?.sheets[0]);
    return { kind: "xlsx", sheets: sheets.map(({ name }) => name), sheet, rows, range };
  } catch (cause) {
    throw cause instanceof RefusedFileError ? cause : new RefusedFileError("damaged", { cause });
  }
}

/**
 * The visible sheet with the most cells in recognised columns. One column of texts without a title may be an
 * explanation.
 */
function likeliestSheet(sheets: readonly Sheet[]): number {
  const filled = [...sheets.entries()].filter(([, { rows }]) => rows.some((row) => !isEmptyRow(row)));
  const visible = filled.filter(([, { hidden, veryHidden }]) => !(hidden || veryHidden));
  const candidates = visible.length === 0 ? filled : visible;
  if (candidates.length < 2) return candidates[0]?.[0] ?? 0;
  const ranked = candidates.map(([sheet, { rows }]) => {
    const { columns, headRow = -1 } = findIn(rows.slice(0, MAX_SAMPLED));
    const used = Object.values(columns);
    const isList = headRow !== -1 || columns.kvkNumber !== undefined || used.length > 1;
    const cells = rows.slice(headRow + 1).flatMap((row) => used.filter((at) => textOf(row[at]) !== ""));
    return { sheet, rank: (isList ? MAX_CELLS : 0) + cells.length };
  });
  return ranked.toSorted((one, two) => two.rank - one.rank)[0]?.sheet ?? 0;
}

/**
 * Returns the range with all cells that hold something: empty cells outside it are not read.
 * @throws {RefusedFileError} when it is too large
 */
function filledRange(extents: readonly Extent[]): string {
  const width = Math.max(1, ...extents.map((extent) => extent.width));
  const height = Math.max(1, ...extents.map((extent) => extent.height));
  const read = extents.map((all) => Math.min(width, all.fullWidth) * Math.min(height, all.fullHeight));
  if (read.reduce((total, cells) => total + cells, 0) > MAX_CELLS) throw new RefusedFileError("tooLarge");
  return `A1:${columnLetter(width - 1)}${height}`;
}

/**
 * Measures the entries of a workbook. Bounds the memory that it takes: by the size that the entries of its zip archive
 * declare (APPNOTE 6.3.10, 4.3.12), beyond which the library unpacks no entry, and by its cells.
 * @throws {RefusedFileError} also where a size is not declared or is beyond four gigabytes
 */
async function extentsIn(bytes: Uint8Array): Promise<Extent[]> {
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
  const extents: Extent[] = [];
  let left = MAX_CELLS;
  for (const entry of entries) {
    const extent = await extentOf(entry, left);
    left -= Math.max(extent.cells, extent.width * extent.height);
    extents.push(extent);
  }
  return extents;
}
