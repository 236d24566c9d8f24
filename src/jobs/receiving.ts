/** Receives a list as JSON lines or CSV: first the whole body, then parsed piece by piece. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parse } from "csv-parse";
import { ApiError } from "../contract/errors.ts";
import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../contract/headings.ts";
import { JOB_BOUNDS, type JobKind } from "../contract/jobs.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { isKvkNumber } from "../contract/numbers.ts";
import { dialectOf } from "../lib/csvDialect.ts";
import { isUnprintable } from "../lib/values.ts";
import { parseVatQuery } from "../lookup/vatQuery.ts";

export type ListForm = "jsonl" | "csv";

export interface ReceivedList {
  /** Without duplicates, each as it was first written. */
  readonly numbers: readonly string[];
  readonly sent: number;
  /** The number of well-formed ones. A malformed number is free. */
  readonly payable: number;
}

const MAX_LINE_BYTES = 4_096;
/** Bytes parsed in one step: a few hundred numbers. */
const PIECE_BYTES = 4_096;
/** The first buffer for a list; it doubles when it is full. */
const FIRST_BYTES = 65_536;
/** Characters kept of a value, more than any notation of a number has. */
const MAX_STORED_LENGTH = 40;

/** The accepted names of the column or field with the numbers (see plainHeading), and the name that errors show. */
interface NumberField {
  readonly shown: string;
  readonly names: readonly string[];
}

const FIELDS: Readonly<Record<"kvk" | "vat", NumberField>> = {
  kvk: { shown: "kvkNumber", names: [...KVK_NUMBER_HEADINGS, "number", "nummer"] },
  vat: { shown: "vatNumber", names: [...VAT_NUMBER_HEADINGS, "number", "nummer"] },
};

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
  const bytes = await readBody(stream);
  const list = new NumberCollector(kind);
  await inTurn((pause) => (form === "csv" ? readCsv : readLines)(bytes, pause, list));
  return list.result();
}

/** Whether a number is well-formed, so that its lookup has a price. */
export function isPayable(kind: JobKind, number: string): boolean {
  return kind === "vat"
    ? !("wrongPart" in parseVatQuery(number, undefined))
    : isKvkNumber(kvkDigitsOf(number));
}

class NumberCollector {
  readonly field: NumberField;
  readonly #kind: JobKind;
  readonly #seen = new Set<string>();
  readonly #numbers: string[] = [];
  #sent = 0;
  #payable = 0;

  constructor(kind: JobKind) {
    this.#kind = kind;
    this.field = FIELDS[kind === "vat" ? "vat" : "kvk"];
  }

  add(text: string): void {
    const trimmed = text.trim();
    this.#sent += 1;
    if (isUnprintable(trimmed, true)) {
      throw invalidList(
        `number ${this.#sent} of the list has a control character or a lone surrogate; remove it`,
      );
    }
    // The cut may split a surrogate pair.
    const number =
      trimmed.length > MAX_STORED_LENGTH ? `${trimmed.slice(0, MAX_STORED_LENGTH).toWellFormed()}…` : trimmed;
    const normal = this.#normalForm(number);
    if (this.#seen.has(normal)) return;
    if (this.#numbers.length >= JOB_BOUNDS.maxNumbers) throw tooLarge(`${JOB_BOUNDS.maxNumbers} numbers`);
    this.#seen.add(normal);
    this.#numbers.push(number);
    if (isPayable(this.#kind, number)) this.#payable += 1;
  }

  result(): ReceivedList {
    if (this.#numbers.length === 0) throw invalidList("the list is empty: send at least one number");
    return { numbers: this.#numbers, sent: this.#sent, payable: this.#payable };
  }

  /** Returns a normal form in which two spellings of a number are equal. */
  #normalForm(number: string): string {
    if (this.#kind !== "vat") return kvkDigitsOf(number);
    const vatQuery = parseVatQuery(number, undefined);
    return "wrongPart" in vatQuery ? number : vatQuery.number.vatNumber;
  }
}

async function readLines(bytes: Buffer, pause: Pause, list: NumberCollector): Promise<void> {
  if (!isUtf8(bytes)) throw invalidList("the body must be in UTF-8");
  const decoder = new TextDecoder();
  let partialLine = "";
  let line = 0;
  const addLine = (text: string) => {
    line += 1;
    if (text.trim() !== "") list.add(numberOn(text, line, list.field));
  };
  for await (const part of pieces(bytes, pause)) {
    const lines = (partialLine + decoder.decode(part, { stream: true })).split("\n");
    partialLine = lines.pop() ?? "";
    if (partialLine.length > MAX_LINE_BYTES) throw invalidList(`line ${line + lines.length + 1} is too long`);
    for (const text of lines) addLine(text);
  }
  addLine(partialLine);
}

/** Returns the number on a line: a JSON string, or a field of a JSON object. */
function numberOn(text: string, line: number, field: NumberField): string {
  let value: unknown;
  try {
    value = text.length > MAX_LINE_BYTES ? undefined : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    value = Object.entries(value).find(([name]) => field.names.includes(plainHeading(name)))?.[1];
  }
  if (typeof value === "string") return value;
  throw invalidList(
    `line ${line} must be a JSON text, such as "51234567", or an object with the field ${field.shown}`,
  );
}

async function readCsv(bytes: Buffer, pause: Pause, list: NumberCollector): Promise<void> {
  const { delimiter, hasSeparatorLine } = dialectOf(bytes.toString("latin1", 0, PIECE_BYTES));
  const parser = parse({
    bom: true,
    delimiter,
    from_line: hasSeparatorLine ? 2 : 1,
    relax_column_count: true,
    // Excel exports ="50000012", with quotes inside the cell.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
  });
  const piping = pipeline(pieces(bytes, pause), parser);
  // The loop over the rows throws the same error.
  piping.catch(() => {});
  let column: number | undefined;
  try {
    for await (const row of parser as AsyncIterable<readonly string[]>) {
      if (column === undefined) column = columnIn(row, list.field);
      else list.add(row[column] ?? "");
    }
  } catch (error) {
    throw error instanceof ApiError
      ? error
      : invalidList("the body must be CSV in UTF-8; it cannot be parsed");
  }
}

function columnIn(header: readonly string[], field: NumberField): number {
  const index = header.findIndex((name) => field.names.includes(plainHeading(name)));
  if (index >= 0) return index;
  throw invalidList(`the first row must contain the column names, with a column ${field.shown}`);
}

/** Reads the body into one buffer: a body sent byte by byte would take many times its size as separate chunks. */
async function readBody(stream: Readable): Promise<Buffer> {
  let bytes = Buffer.alloc(FIRST_BYTES);
  let length = 0;
  try {
    for await (const part of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (length + part.length > JOB_BOUNDS.maxBytes) throw tooLarge(`${JOB_BOUNDS.maxBytes} bytes`);
      if (length + part.length > bytes.length) {
        bytes = Buffer.concat([bytes], Math.max(2 * bytes.length, length + part.length));
      }
      part.copy(bytes, length);
      length += part.length;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw error instanceof ApiError ? error : invalidList("the body was cut off; send it again");
  } finally {
    // Discard the rest of a refused list. Otherwise the connection stalls and its next request is never answered.
    stream.resume();
  }
}

/** Yields the event loop between pieces: parsing a whole list at once would block it for tens of milliseconds. */
async function* pieces(bytes: Buffer, pause: Pause): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
    const begunMs = performance.now();
    yield bytes.subarray(offset, offset + PIECE_BYTES);
    await pause(performance.now() - begunMs);
  }
}

function tooLarge(limit: string): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `a list may have at most ${limit}; send it in parts`);
}

export function invalidList(message: string): ApiError {
  return new ApiError("INVALID_REQUEST", message);
}
