/** Bounds that are checked before a file is parsed, because parsing a hostile one takes gigabytes. */
import { JOB_BOUNDS } from "../../../../../../src/contract/jobs.ts";
import { RefusedFileError } from "./table.ts";

/** Cells of a whole file, empty ones included. A list of 100,000 rows may have 50 columns. */
export const MAX_CELLS = 5_000_000;
/** As many as a spreadsheet has: a list may end with empty rows. */
const MAX_ROWS = 1_048_576;
/** A line may be a list of numbers. */
const MAX_LINE_LENGTH = 20 * JOB_BOUNDS.maxNumbers;
/** A row, or a cell, with or without its address, or a text that cells share. */
const CELL = /<(?:\w+:)?(?:si|row|c)\b(?:[^<>]*?\br\s*=\s*["']([A-Z]{0,3})([0-9]{1,7})["'])?/gi;

/** @param delimiter undefined while it is not known: then only lines are checked @throws {RefusedFileError} */
export function checkText(text: string, delimiter = "\n"): void {
  const separator = delimiter.charCodeAt(0);
  let [cells, rows, lineStart] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    const isEnd = sign === 0x0a || sign === 0x0d;
    if (isEnd) {
      rows += 1;
      lineStart = at;
    }
    if (isEnd || sign === separator) cells += 1;
    if (at - lineStart > MAX_LINE_LENGTH || rows > 2 * MAX_ROWS || cells > MAX_CELLS)
      throw new RefusedFileError("tooLarge");
  }
}

/**
 * Counts the cells of the smallest rectangle around a sheet, which the library keeps in memory, and the texts that cells share.
 * @param xml an unpacked entry of a workbook @throws {RefusedFileError} for more than `maxCells`
 */
export async function countCells(xml: ReadableStream<Uint8Array>, maxCells: number): Promise<number> {
  let [cells, width, height, rest] = [0, 0, 0, ""];
  const decoder = new TextDecoder("latin1");
  for (const reader = xml.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return Math.max(cells, width * height);
    const text = rest + decoder.decode(value);
    const end = text.lastIndexOf("<");
    for (const [, column = "", row = "0"] of text.slice(0, end).matchAll(CELL)) {
      cells += 1;
      width = Math.max(
        width,
        [...column.toUpperCase()].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0),
      );
      height = Math.max(height, Number(row));
    }
    if (Math.max(cells, width * height) > maxCells) throw new RefusedFileError("tooLarge");
    rest = text.slice(Math.max(end, text.length - MAX_LINE_LENGTH));
  }
}
