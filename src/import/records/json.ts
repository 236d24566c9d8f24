import { ImportRefused } from "../outcome.ts";
import { peek } from "../peek.ts";
import { type Cut, type Cutter, cutRecords, type RawRecord } from "./cutRecords.ts";

/** A company with a thousand branches is about 300 KB. */
export const MAX_JSON_BYTES = 8 * 2 ** 20;
const MAX_JSON_DEPTH = 64;
const HEAD_BYTES = 1024 * 1024;

const DEPTH_FAULT = `is nested deeper than ${MAX_JSON_DEPTH} levels`;

const LINE_FEED = 10;
/** Precedes each value in JSON text sequences (RFC 7464). */
const RECORD_SEPARATOR = 30;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Reads one JSON value a line. A broken line costs only itself. */
export async function* readJsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  for await (const record of cutRecords(chunks, cutLine, MAX_JSON_BYTES)) {
    yield record.fault === undefined && isTooDeep(record.bytes) ? { ...record, fault: DEPTH_FAULT } : record;
  }
}

/** Cuts at line breaks. A line of white space is not a record. */
function cutLine(buffer: Buffer, start: number, atEnd: boolean): Cut | undefined {
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
  return byte === 32 || byte === 9 || byte === 13;
}

/**
 * Reads the JSON objects of a file in any of the usual forms: one a line, an array of them, one pretty-printed, or
 * several of these after each other.
 * @throws {ImportRefused} when the file is not JSON or a bracket is not closed: then it is cut off, and nothing after
 * that place can be trusted
 */
export async function* readJsonValues(
  chunks: AsyncIterable<Buffer>,
  shownName: string,
): AsyncGenerator<RawRecord> {
  const { head, whole } = await peek(chunks, HEAD_BYTES);
  const start = head
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart();
  if (!/^[[{]/.test(start)) {
    throw new ImportRefused(
      `${shownName} is not JSON: it begins neither with { nor with [. Check the format that the command names.`,
    );
  }
  if (start.startsWith("{") && isOneALine(start)) {
    yield* readJsonLines(whole);
    return;
  }
  const state: { depth: 0 | 1 } = { depth: 0 };
  yield* cutRecords(whole, valueCutter(shownName, state), MAX_JSON_BYTES);
  if (state.depth === 1) throw endsEarly(shownName, "before the ] that closes its array");
}

/**
 * Whether each line is an object. When the first line is broken, the second one decides: in pretty-printed JSON it
 * never begins with a brace.
 */
function isOneALine(start: string): boolean {
  const [first = "", second] = start.split("\n", 2);
  const bytes = Buffer.from(first, "latin1");
  const end = endOfValue(bytes, 0);
  if (end !== undefined && first.slice(end.next).trim() === "") return true;
  return second?.startsWith("{") === true;
}

/** Cuts values that stand one after another, alone or in arrays. `state` is 1 inside an array. */
function valueCutter(shownName: string, state: { depth: 0 | 1 }): Cutter {
  return (buffer, start, atEnd, line) => {
    const at = skipSpaceAndCommas(buffer, start);
    const byte = buffer[at];
    if (byte === undefined) return { from: at, to: at, next: at };
    if (byte !== (state.depth === 0 ? OPEN_ARRAY : CLOSE_ARRAY))
      return cutValue(buffer, at, atEnd, shownName, line);
    state.depth = state.depth === 0 ? 1 : 0;
    return { from: at, to: at, next: at + 1 };
  };
}

function cutValue(
  buffer: Buffer,
  at: number,
  atEnd: boolean,
  shownName: string,
  line: number,
): Cut | undefined {
  const end = endOfValue(buffer, at);
  if (end !== undefined) {
    return { from: at, to: end.next, next: end.next, ...(end.isTooDeep ? { fault: DEPTH_FAULT } : {}) };
  }
  if (atEnd) throw endsEarly(shownName, `in the middle of the record that begins at about line ${line}`);
  if (buffer.length - at > MAX_JSON_BYTES) {
    throw new ImportRefused(
      `${shownName} holds a record of more than ${MAX_JSON_BYTES / 2 ** 20} MiB at about line ${line}: a bracket or a ` +
        "quote is missing there. Correct it, or write one object a line.",
    );
  }
  return undefined;
}

function endsEarly(shownName: string, where: string): ImportRefused {
  return new ImportRefused(`${shownName} ends ${where}: it is cut off. Fetch it again.`);
}

function skipSpaceAndCommas(buffer: Buffer, start: number): number {
  let at = start;
  for (let byte = buffer[at]; byte !== undefined; byte = buffer[at]) {
    const isSpace = byte === 32 || (byte >= 9 && byte <= 13) || byte === RECORD_SEPARATOR;
    if (!isSpace && byte !== COMMA) break;
    at += 1;
  }
  return at;
}

/**
 * Finds the end of the value that begins at `start`, by its brackets and quotes; undefined when it is not in the
 * buffer.
 */
function endOfValue(buffer: Buffer, start: number): { next: number; isTooDeep: boolean } | undefined {
  let depth = 0;
  let isTooDeep = false;
  let at = start;
  for (let byte = buffer[at]; byte !== undefined; byte = buffer[at]) {
    if (byte === QUOTE) {
      at = endOfString(buffer, at);
      if (at === -1) return undefined;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      isTooDeep ||= depth > MAX_JSON_DEPTH;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      // A bare word ends before the bracket that closes what is around it.
      if (depth === 0) return endOfWord(start, at);
      depth -= 1;
    } else if (depth === 0 && (byte === COMMA || byte <= 32)) {
      return endOfWord(start, at);
    }
    at += 1;
    if (depth === 0 && (byte === QUOTE || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY)) {
      return { next: at, isTooDeep };
    }
  }
  return undefined;
}

/** A single bad byte counts as a word, so that a reader always advances. */
function endOfWord(start: number, end: number): { next: number; isTooDeep: boolean } {
  return { next: Math.max(end, start + 1), isTooDeep: false };
}

/** The position of the quote that closes the string whose opening quote is at `start`, or -1. */
function endOfString(buffer: Buffer, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const byte = buffer[at];
    if (byte === undefined) return -1;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
}

/** Checks the first value of a line; the parser refuses text after it. */
function isTooDeep(line: Buffer): boolean {
  return endOfValue(line, 0)?.isTooDeep === true;
}
