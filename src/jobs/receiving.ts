/** Receives a list as JSON lines or CSV: first the whole body, then parsed piece by piece. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parse } from "csv-parse";
import { ApiError } from "../contract/errors.ts";
import { type JobKind, maxBytesOf } from "../contract/jobs.ts";
import { dialectOf } from "../lib/csvDialect.ts";
import type { ListCollector, ReceivedList } from "./listCollector.ts";
import { invalidList, listTooLarge } from "./listErrors.ts";
import { unpackRow } from "./matchRow.ts";
import { isWellFormed, NumberCollector } from "./numberCollector.ts";
import { RowCollector } from "./rowCollector.ts";

export type ListForm = "jsonl" | "csv";

/** Bytes parsed in one step: a few hundred numbers. */
const PIECE_BYTES = 4_096;
/** The sizes of the buffers that hold a list. Each is twice as large as the previous one, up to the maximum. */
const FIRST_BUFFER_BYTES = 65_536;
const MAX_BUFFER_BYTES = 1_048_576;

/** Runs `read` when its turn comes. `read` awaits `pause` after each piece, with the time that the piece took. */
export type RunInTurn = <T>(read: (pause: Pause) => Promise<T>) => Promise<T>;
export type Pause = (workedMs: number) => Promise<void>;

const AT_ONCE: RunInTurn = (read) => read(() => nextTurn());

/**
 * Receives a list and parses it. The body is received before the list waits for its turn, because the server times out slow requests.
 * @throws {ApiError} if the body is not a list, or too large. A malformed number is not an error.
 */
export async function receiveList(
  stream: Readable,
  form: ListForm,
  kind: JobKind,
  inTurn = AT_ONCE,
): Promise<ReceivedList> {
  const body = await readBody(stream, maxBytesOf(kind));
  const list = kind === "match" ? new RowCollector() : new NumberCollector(kind === "vat" ? "vat" : "kvk");
  await inTurn((pause) => (form === "csv" ? readCsv : readLines)(body, pause, list));
  return list.result();
}

/** Whether an item of a list is well-formed, so that its processing has a price. */
export function isPayable(kind: JobKind, item: string): boolean {
  return kind === "match" ? "query" in unpackRow(item) : isWellFormed(kind === "vat" ? "vat" : "kvk", item);
}

async function readLines(body: readonly Buffer[], pause: Pause, list: ListCollector): Promise<void> {
  let partialLine = "";
  let line = 0;
  const addLine = (text: string) => {
    line += 1;
    if (text.trim() !== "") list.addLine(text, line);
  };
  for await (const { text } of decoded(pieces(body, pause))) {
    const lines = (partialLine + text).split("\n");
    partialLine = lines.pop() ?? "";
    if (partialLine.length > list.maxLineBytes)
      throw invalidList(`line ${line + lines.length + 1} is too long`);
    for (const one of lines) addLine(one);
  }
  addLine(partialLine);
}

async function readCsv(body: readonly Buffer[], pause: Pause, list: ListCollector): Promise<void> {
  const { delimiter, hasSeparatorLine } = dialectOf(body[0]?.toString("latin1", 0, PIECE_BYTES) ?? "");
  const parser = parse({
    bom: true,
    delimiter,
    from_line: hasSeparatorLine ? 2 : 1,
    relax_column_count: true,
    // Excel exports ="50000012", with quotes inside the cell.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: list.maxLineBytes,
  });
  const bytes = pieces(body, pause);
  const piping = pipeline(list.hasTexts ? checked(bytes) : bytes, parser);
  // The loop over the rows throws the same error.
  piping.catch(() => {});
  let hasHeader = false;
  try {
    for await (const row of parser as AsyncIterable<readonly string[]>) {
      if (hasHeader) list.addCells(row);
      else list.readHeader(row);
      hasHeader = true;
    }
  } catch (error) {
    throw error instanceof ApiError
      ? error
      : invalidList("the body must be CSV in UTF-8; it cannot be parsed");
  }
}

/** Reads the body into a few buffers: a body sent byte by byte would take many times its size as separate chunks. */
async function readBody(stream: Readable, maxBytes: number): Promise<readonly Buffer[]> {
  const body: Buffer[] = [];
  let buffer = Buffer.alloc(FIRST_BUFFER_BYTES);
  let used = 0;
  let total = 0;
  try {
    for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += part.length;
      if (total > maxBytes) throw listTooLarge(`${maxBytes} bytes`);
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

/** Yields the event loop between pieces: parsing a whole list at once would block it for tens of milliseconds. */
async function* pieces(body: readonly Buffer[], pause: Pause): AsyncGenerator<Buffer> {
  for (const buffer of body) {
    for (let offset = 0; offset < buffer.length; offset += PIECE_BYTES) {
      const begunMs = performance.now();
      yield buffer.subarray(offset, offset + PIECE_BYTES);
      await pause(performance.now() - begunMs);
    }
  }
}

/** Decodes pieces. @throws {ApiError} if they are not UTF-8 */
async function* decoded(
  parts: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly bytes: Buffer; readonly text: string }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const bytes of parts)
    yield { bytes, text: decodeOrRefuse(() => decoder.decode(bytes, { stream: true })) };
  decodeOrRefuse(() => decoder.decode());
}

function decodeOrRefuse(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw invalidList('the body must be in UTF-8; in a spreadsheet, save it as "CSV UTF-8"');
  }
}

/** Yields the same pieces. @throws {ApiError} if they are not UTF-8 */
async function* checked(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const { bytes } of decoded(parts)) yield bytes;
}
