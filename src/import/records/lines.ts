import type { Cut } from "./cutRecords.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Cuts at line breaks (LF or CRLF). A line of white space is no record. */
export function cutLine(buffer: Buffer, start: number, atEnd: boolean): Cut | undefined {
  const found = buffer.indexOf(LINE_FEED, start);
  if (found === -1 && !atEnd) return undefined;
  const end = found === -1 ? buffer.length : found;
  let from = start;
  while (from < end && isSpace(buffer[from])) from += 1;
  let to = end;
  while (to > from && isSpace(buffer[to - 1])) to -= 1;
  return { from, to, next: found === -1 ? end : end + 1 };
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === CARRIAGE_RETURN;
}
