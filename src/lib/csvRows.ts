/** The rows and cells of CSV (RFC 4180). */

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Finds the end of the row that begins at `start`. A quote opens a quoted cell only at the beginning of the cell; elsewhere it is a letter.
 * @param atEnd whether nothing follows the buffer
 * @returns the position of its line break, or the length of the buffer; `more` if the end is not in the buffer yet; minus the last position looked at
 * if its quotes do not match
 */
export function endOfRow(buffer: Buffer, start: number, delimiter: number, atEnd: boolean): number | "more" {
  const { length } = buffer;
  for (let at = start; ; at += 1) {
    if (buffer[at] === QUOTE) {
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
    if (at >= length) return atEnd ? length : "more";
    if (byte !== delimiter) return at;
  }
}

/** Splits a row into at most `maxCells` cells. A cell whose quotes do not match is kept as it stands, up to the next delimiter. */
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
