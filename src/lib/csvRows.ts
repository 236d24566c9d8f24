/** The rows and cells of CSV (RFC 4180). */

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Finds the end of the row that begins at `start`. A quote opens a quoted cell only at the beginning of the cell;
 * elsewhere it is a letter.
 * @param atEnd whether nothing follows the buffer
 * @param width the number of columns. A row with a line break in a cell has this many cells, and its single lines do
 * not; otherwise its quotes are letters
 * @returns the position of its line break, or the length of the buffer; `more` if the end is not in the buffer yet;
 * minus the last position looked at if its quotes do not match
 */
export function endOfRow(
  buffer: Buffer,
  start: number,
  delimiter: number,
  atEnd: boolean,
  width?: number,
): number | "more" {
  const { length } = buffer;
  let hasQuotes = false;
  let filled = 0;
  for (let at = start, cells = 1; ; at += 1, cells += 1) {
    const cellStart = at;
    if (buffer[at] === QUOTE) {
      hasQuotes = true;
      for (at += 1; ; at += 2) {
        // Faster than a search when quotes follow each other.
        if (buffer[at] !== QUOTE) at = buffer.indexOf(QUOTE, at);
        if (at === -1) return atEnd ? -length : "more";
        if (at + 1 === length && !atEnd) return "more";
        if (buffer[at + 1] !== QUOTE) break;
      }
      at += 1;
      const next = buffer[at];
      if (next !== undefined && next !== delimiter && next !== LINE_FEED && next !== CARRIAGE_RETURN) {
        return -at;
      }
    }
    let byte = buffer[at];
    while (byte !== delimiter && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && at < length) {
      at += 1;
      byte = buffer[at];
    }
    if (at > cellStart) filled = cells;
    if (at >= length && !atEnd) return "more";
    if (byte === delimiter && at < length) continue;
    if (!hasQuotes || width === undefined || endOfLine(buffer, start) >= at) return at;
    const isRow = cells >= width && filled <= width && !areRows(buffer.subarray(start, at), delimiter, width);
    return isRow ? at : -at;
  }
}

/** Whether each line has the cells of a row: then the quotes of the first and the last line only look like a pair. */
function areRows(lines: Buffer, delimiter: number, width: number): boolean {
  const sign = String.fromCharCode(delimiter);
  const texts = lines.toString("latin1").split(/\r\n?|\n/);
  return width > 1 && texts.every((text) => text.split(sign).length === width);
}

/** The position of the first line break from `start`, or the length of the buffer. */
export function endOfLine(buffer: Buffer, start = 0): number {
  for (let at = start; at < buffer.length; at += 1) {
    if (buffer[at] === LINE_FEED || buffer[at] === CARRIAGE_RETURN) return at;
  }
  return buffer.length;
}

/** Yields the rows of a whole file, and where each begins. */
export function* csvRows(
  bytes: Buffer,
  delimiter: string,
): Generator<{ readonly cells: readonly string[]; readonly start: number }> {
  let width: number | undefined;
  for (let start = 0; start < bytes.length; ) {
    const found = endOfRow(bytes, start, delimiter.charCodeAt(0), true, width);
    const end = found === "more" || found < 0 ? endOfLine(bytes, start) : found;
    const cells = splitCells(bytes.toString("utf8", start, end), delimiter);
    width ??= cells.length;
    yield { cells, start };
    start = end + (bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? 2 : 1);
  }
}

/**
 * Splits a row into at most `maxCells` cells. A cell whose quotes do not match is kept as it stands, up to the next
 * delimiter.
 */
export function splitCells(row: string, delimiter: string, maxCells = row.length + 1): string[] {
  if (!row.includes('"')) return row.split(delimiter, maxCells);
  const cells: string[] = [];
  for (let at = 0; at <= row.length && cells.length < maxCells; at += 1) {
    const closing = row[at] === '"' ? closingQuote(row, at + 1) : -1;
    const isQuoted = closing !== -1 && (row[closing + 1] ?? delimiter) === delimiter;
    const found = row.indexOf(delimiter, at);
    const end = isQuoted ? closing + 1 : found === -1 ? row.length : found;
    cells.push(isQuoted ? row.slice(at + 1, closing).replaceAll('""', '"') : row.slice(at, end));
    at = end;
  }
  return cells;
}

/** Returns the position of the first quote from `at` that is not doubled, or -1. */
function closingQuote(row: string, at: number): number {
  let found = row.indexOf('"', at);
  while (found !== -1 && row[found + 1] === '"') found = row.indexOf('"', found + 2);
  return found;
}
