/** Bounds that are checked before a file is parsed, because parsing a hostile one takes gigabytes. */
import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { RefusedFileError } from "./table.ts";

/**
 * The maximum cells of a file: all cells of a text, the filled cells of a workbook. A list of 100,000 rows may have 50
 * columns.
 */
export const MAX_CELLS = 5_000_000;
/**
 * The maximum size of a workbook when unpacked, so that a phone can read it. A list of 50,000 customers needs a tenth
 * of it.
 */
export const MAX_UNPACKED_BYTES = 150_000_000;
/** A line may be a list of numbers. */
const MAX_LINE_LENGTH = 20 * JOB_BOUNDS.maxNumbers;
/** A row or a cell, with or without its address, a text that cells share, a value that is not empty, or a formula. */
const TAG =
  /<(?:\w+:)?(?:(si|row|c)(?=[\s/>])(?:[^<>]*?\br\s*=\s*["']([A-Z]{0,3})([0-9]{1,7})["'])?|[vt]\b[^<>]*>[^<]|f[\s/>])/gi;

/** A number format with leading zeros. */
const ZEROS = /formatCode\s*=\s*["'][^"'<>.]*00/;

/** @param delimiter undefined while it is not known: then only lines are checked @throws {RefusedFileError} */
export function checkText(text: string, delimiter?: string): void {
  let [cells, lineStart] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    // A row takes more memory than a cell.
    if (sign === "\n" || sign === "\r") [cells, lineStart] = [cells + 2, at];
    else if (sign === delimiter) cells += 1;
    if (at - lineStart > MAX_LINE_LENGTH || cells > MAX_CELLS) throw new RefusedFileError("tooLarge");
  }
}

/**
 * Measures a sheet: the rectangle of its cells that hold something, which the library keeps in memory, and of all its
 * cells, and the number of cells that hold something, rows, and texts that cells share. Of styles: whether numbers have
 * leading zeros.
 * @param xml an unpacked entry of a workbook @throws {RefusedFileError} for more than `maxCells`
 */
export async function extentOf(xml: ReadableStream<Uint8Array>, maxCells: number) {
  let [bytes, cells, width, height, fullWidth, fullHeight, rest] = [0, 0, 0, 0, 0, 0, ""];
  let [column, row, isEmpty, isSheet, hasZeros] = [0, 0, false, false, false];
  for (const reader = xml.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return { cells, width, height, fullWidth, fullHeight, hasZeros };
    const text = rest + new TextDecoder("latin1").decode(value);
    hasZeros ||= ZEROS.test(text);
    rest = text.slice(Math.max(text.lastIndexOf("<"), text.length - MAX_LINE_LENGTH));
    for (const [, tag, letters = "", address] of text.slice(0, -rest.length).matchAll(TAG)) {
      if (tag === "c") {
        column = letters === "" ? column + 1 : columnOf(letters);
        row = Number(address ?? row);
        if (isSheet) [fullWidth, fullHeight] = [Math.max(fullWidth, column), Math.max(fullHeight, row)];
      } else if (tag === "row") [column, row, isSheet] = [0, Number(address ?? row + 1), true];
      else if (isEmpty) [width, height] = [Math.max(width, column), Math.max(height, row)];
      if (tag === undefined ? isEmpty : tag !== "c") cells += 1;
      isEmpty = tag === "c";
    }
    bytes += value.length;
    const isLarge = bytes > MAX_UNPACKED_BYTES || Math.max(cells, width * height) > maxCells;
    if (isLarge) throw new RefusedFileError("tooLarge");
  }
}

export type Extent = Awaited<ReturnType<typeof extentOf>>;

/** `A` is 1. */
function columnOf(letters: string): number {
  return Array.from(letters.toUpperCase()).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
}
