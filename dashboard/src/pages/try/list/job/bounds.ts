/** Bounds that are checked before a file is parsed, because parsing a hostile one takes gigabytes. */
import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { RefusedFileError } from "./table.ts";

/** Cells of a whole file, empty ones included. A list of 100,000 rows may have 50 columns. */
export const MAX_CELLS = 5_000_000;
/** The maximum size of a workbook when unpacked, so that a phone can read it. A list of 50,000 customers needs a tenth of it. */
export const MAX_UNPACKED_BYTES = 150_000_000;
/** A line may be a list of numbers. */
const MAX_LINE_LENGTH = 20 * JOB_BOUNDS.maxNumbers;
/** A row, or a cell, with or without its address, or a text that cells share. */
const CELL = /<(?:\w+:)?(?:si|row|c)\b(?:[^<>]*?\br\s*=\s*["']([A-Z]{0,3})([0-9]{1,7})["'])?/gi;

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
 * Counts the cells of the smallest rectangle around a sheet, which the library keeps in memory, and the texts that cells share.
 * @param xml an unpacked entry of a workbook @throws {RefusedFileError} for more than `maxCells`
 */
export async function countCells(xml: ReadableStream<Uint8Array>, maxCells: number): Promise<number> {
  let [bytes, cells, width, height, rest] = [0, 0, 0, 0, ""];
  for (const reader = xml.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return Math.max(cells, width * height);
    const text = rest + new TextDecoder("latin1").decode(value);
    rest = text.slice(Math.max(text.lastIndexOf("<"), text.length - MAX_LINE_LENGTH));
    for (const [, letters = "", row = "0"] of text.slice(0, -rest.length).matchAll(CELL)) {
      [width, height] = [Math.max(width, columnOf(letters)), Math.max(height, Number(row))];
      cells += 1;
    }
    bytes += value.length;
    const isLarge = bytes > MAX_UNPACKED_BYTES || Math.max(cells, width * height) > maxCells;
    if (isLarge) throw new RefusedFileError("tooLarge");
  }
}

/** `A` is 1. */
function columnOf(letters: string): number {
  return Array.from(letters.toUpperCase()).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
}
