/** Receives a list as JSON lines or CSV: first the whole body, then its lines or rows, one by one. */
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TextDecoder } from "node:util";
import { ApiError } from "../contract/errors.ts";
import { JOB_BOUNDS, type JobKind, maxBytesOf } from "../contract/jobs.ts";
import { dialectOf } from "../lib/csvDialect.ts";
import { csvRows, endOfLine, endOfRow, splitCells } from "../lib/csvRows.ts";
import { SAMPLE_ROWS } from "../match/rowQueries.ts";
import { LIST_KINDS } from "./kinds.ts";
import {
  type ListCollector,
  MAX_COLUMNS,
  MAX_LINE_BYTES,
  type ReceivedList,
  TOO_LONG,
} from "./listCollector.ts";
import { invalidList, listTooLarge } from "./listErrors.ts";
import { NumberCollector } from "./numberCollector.ts";
import { RowCollector } from "./rowCollector.ts";

export type ListForm = "jsonl" | "csv";

/** How long reading may block the event loop before other work gets a turn. */
const STEP_MS = 2;
/** The maximum number of lines or rows to read, including empty and repeated ones, which do not become items. */
const MAX_LINES = 10 * JOB_BOUNDS.maxNumbers;
/** The sizes of the buffers that hold a list. Each is twice as large as the previous one, up to the maximum. */
const FIRST_BUFFER_BYTES = 65_536;
const MAX_BUFFER_BYTES = 1_048_576;
/** The beginning of a file in which the delimiter is looked for. */
const HEAD_BYTES = 4_096;
/**
 * The maximum that is searched for the quotes that end cells, where there are none. Stray quotes in a list of any size
 * take half of it.
 */
const MAX_SEARCHED_BYTES = 4 * JOB_BOUNDS.maxMatchBytes;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const LINE_BREAK = /\r\n?|\n/;

/** Awaited after each step, with the time that the step took. */
export type Pause = (workedMs: number) => Promise<void>;

export interface ReceivingOptions {
  /** Awaited before bytes of the body, with so many line breaks, are stored; its error ends the upload. */
  readonly onBytes?: (bytes: number, lineBreaks: number) => Promise<void>;
  /** Runs `read` when its turn comes. */
  readonly inTurn?: <T>(read: (pause: Pause) => Promise<T>) => Promise<T>;
}

/**
 * Receives a list and reads it. The whole body is received before the list waits for its turn, because the server times
 * out slow requests.
 * @throws {ApiError} (the promise) if the body is not a list, or too large. A malformed number is not an error.
 */
export async function receiveList(
  stream: Readable,
  form: ListForm,
  kind: JobKind,
  { onBytes = async () => {}, inTurn = (read) => read(() => nextTurn()) }: ReceivingOptions = {},
): Promise<ReceivedList> {
  const body = await readBody(stream, maxBytesOf(kind), onBytes);
  return inTurn((pause) => readList(body, form, kind, pause));
}

/** Reads the body into a few buffers: a body sent byte by byte would take many times its size as separate chunks. */
async function readBody(
  stream: Readable,
  maxBytes: number,
  onBytes: Required<ReceivingOptions>["onBytes"],
): Promise<Buffer[]> {
  const body: Buffer[] = [];
  let buffer = Buffer.alloc(FIRST_BUFFER_BYTES);
  let used = 0;
  let total = 0;
  try {
    for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += part.length;
      if (total > maxBytes) throw listTooLarge(`${maxBytes} bytes`);
      await onBytes(part.length, part.toString("latin1").split(LINE_BREAK).length - 1);
      for (let copied = 0; copied < part.length; ) {
        if (used === buffer.length) {
          body.push(buffer);
          buffer = Buffer.alloc(Math.min(2 * buffer.length, MAX_BUFFER_BYTES));
          used = 0;
        }
        const count = part.copy(buffer, used, copied);
        copied += count;
        used += count;
      }
    }
    return [...body, buffer.subarray(0, used)];
  } catch (error) {
    throw error instanceof ApiError ? error : invalidList("the body was cut off; send it again");
  } finally {
    // Discard the rest of a refused list. Otherwise the connection stalls and its next request is never answered.
    stream.resume();
  }
}

/** Reads a list step by step, and empties `body` as it goes. */
async function readList(body: Buffer[], form: ListForm, kind: JobKind, pause: Pause): Promise<ReceivedList> {
  // UTF-16 without a byte order mark.
  if (body[0]?.subarray(0, 2).includes(0)) throw notUtf8();
  const { form: numberForm } = LIST_KINDS[kind];
  const list = numberForm === undefined ? new RowCollector() : new NumberCollector(numberForm);
  const { endOf, read } = form === "csv" ? csvReader(body, list) : jsonReader(list);
  const decoder = new TextDecoder("utf-8", { fatal: form === "jsonl" || list.hasTexts });
  const lenient = new TextDecoder();
  let begunMs = performance.now();
  let lines = 0;
  for (const { bytes, line, isCut } of linesOf(body, endOf)) {
    lines += 1;
    if (lines > MAX_LINES) throw listTooLarge(`${MAX_LINES} lines`);
    read(isCut ? lenient.decode(bytes) : decoded(bytes, decoder), line, isCut);
    const workedMs = performance.now() - begunMs;
    if (workedMs < STEP_MS) continue;
    await pause(workedMs);
    begunMs = performance.now();
  }
  return list.result();
}

/**
 * Returns where the line or row that begins a buffer ends; undefined if that is not in the buffer yet.
 * @param atEnd nothing follows the buffer
 */
type EndFinder = (buffer: Buffer, atEnd: boolean) => number | undefined;

function jsonReader(list: ListCollector) {
  return {
    endOf: (buffer: Buffer, atEnd: boolean) => {
      const end = buffer.indexOf(LINE_FEED);
      if (end !== -1) return end;
      return atEnd ? buffer.length : undefined;
    },
    read: (text: string, line: number, isCut: boolean) => {
      if (isCut) list.addLong([], line);
      else if (text.trim() === "") list.addEmpty();
      else list.addLine(text, line);
    },
  };
}

function csvReader([head = Buffer.alloc(0)]: readonly Buffer[], list: ListCollector) {
  const { delimiter, hasSeparatorLine } = dialectOf(head.toString("latin1", 0, HEAD_BYTES));
  let row = hasSeparatorLine ? -1 : 0;
  let searched = 0;
  let width: number | undefined;
  return {
    endOf: (buffer: Buffer, atEnd: boolean) => {
      const end = endOfRow(buffer, 0, delimiter.charCodeAt(0), atEnd, width);
      if (end === "more") return undefined;
      if (end >= 0) return end;
      // A row whose quotes do not match ends with its line.
      searched -= end;
      if (searched > MAX_SEARCHED_BYTES)
        throw invalidList(
          "the quotes of too many cells do not match; write each quote in a quoted cell twice",
        );
      const lineEnd = endOfLine(buffer);
      return lineEnd < buffer.length || atEnd ? lineEnd : undefined;
    },
    read: (text: string, line: number, isCut: boolean) => {
      if (text === "") {
        if (row > 0) list.addEmpty();
        return;
      }
      if (row === 0 && isCut) throw invalidList(`line ${line} ${TOO_LONG}`);
      const cells = splitCells(text, delimiter, MAX_COLUMNS + 1);
      if (row === 0) {
        const rows = [...csvRows(head, delimiter).take(SAMPLE_ROWS + 2)].slice(hasSeparatorLine ? 2 : 1);
        const isFilled = (row: readonly string[]) => row.some((cell) => cell.trim() !== "");
        list.readHeader(cells, line, rows.map((one) => one.cells).filter(isFilled));
        width = cells.length;
      } else if (row > 0 && isCut) list.addLong(cells, line);
      else if (row > 0 && cells.every((cell) => cell.trim() === "")) list.addEmpty();
      else if (row > 0) list.addCells(cells);
      row += 1;
    },
  };
}

/** Cuts a body into its lines or rows without their line breaks, and empties it. One that is too long is cut. */
function* linesOf(
  body: Buffer[],
  endOf: EndFinder,
): Generator<{ readonly bytes: Buffer; readonly line: number; readonly isCut: boolean }> {
  let buffer = body.shift() ?? Buffer.alloc(0);
  let start = 0;
  let isRest = false;
  for (let line = 1; start < buffer.length || body.length > 0; ) {
    // One line and its line break: no search goes further.
    const window = buffer.subarray(start, start + MAX_LINE_BYTES + 2);
    const [next] = window.length === MAX_LINE_BYTES + 2 ? [] : body;
    const end: number = isRest ? endOfLine(window) : (endOf(window, next === undefined) ?? window.length);
    if (next !== undefined && end + 1 >= window.length) {
      body.shift();
      buffer = Buffer.concat([buffer.subarray(start), next]);
      start = 0;
      continue;
    }
    const isCut = end > MAX_LINE_BYTES;
    const bytes = window.subarray(0, Math.min(end, MAX_LINE_BYTES));
    if (!isRest) yield { bytes, line, isCut };
    isRest = end === MAX_LINE_BYTES + 2;
    line += window.toString("latin1", 0, end).split("\n").length - (isRest ? 1 : 0);
    start += end + (isRest ? 0 : window[end] === CARRIAGE_RETURN && window[end + 1] === LINE_FEED ? 2 : 1);
  }
}

const notUtf8 = () => invalidList('the body must be in UTF-8; in a spreadsheet, save it as "CSV UTF-8"');

function decoded(bytes: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notUtf8();
  }
}
