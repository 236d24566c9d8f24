import { known } from "../../lib/values.ts";

/** The bytes of a record. */
export interface RawRecord {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly bytes: Buffer;
  /** Why it cannot be read; then `bytes` are the part to show. */
  readonly fault?: string;
  /** The input ends with it, without a line break. */
  readonly isUnended?: boolean;
}

export interface Cut {
  /** Where the record's bytes begin and end in the buffer; equal when there is none (a blank line). */
  readonly from: number;
  readonly to: number;
  /** Where to look for the next record. */
  readonly next: number;
  readonly fault?: string;
  /** Only the end of the input ends it. */
  readonly isUnended?: boolean;
}

/**
 * Finds the record that begins at `start`, or returns undefined when its end is not in the buffer yet. A cut always
 * comes further than `start`. Where `atEnd` is true nothing follows the buffer, and there must be a cut.
 */
export type Cutter = (buffer: Buffer, start: number, atEnd: boolean, line: number) => Cut | undefined;

const LINE_FEED = 10;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");
const SHOWN_BYTES = 2048;

/**
 * Cuts a stream into records. A record above `maxBytes` becomes a fault, and reading continues after its next
 * line break, so that memory stays bounded whatever the input.
 */
export async function* cutRecords(
  chunks: AsyncIterable<Buffer>,
  cut: Cutter,
  maxBytes: number,
): AsyncGenerator<RawRecord> {
  let pending: Buffer = Buffer.alloc(0);
  let line = 1;
  let isFirst = true;
  let isSkipping = false;

  function* records(buffer: Buffer, atEnd: boolean): Generator<RawRecord, Buffer> {
    let start = 0;
    while (start < buffer.length) {
      if (isSkipping) {
        const lineEnd = buffer.indexOf(LINE_FEED, start);
        if (lineEnd === -1) return buffer.subarray(buffer.length);
        start = lineEnd + 1;
        line += 1;
        isSkipping = false;
        continue;
      }
      const found = cut(buffer, start, atEnd, line);
      if (found === undefined) {
        if (buffer.length - start <= maxBytes) return buffer.subarray(start);
        yield tooLong(buffer.subarray(start), line, maxBytes);
        isSkipping = true;
        continue;
      }
      if (found.next <= start) throw new RangeError(`no way forward from byte ${buffer[start]}`);
      const recordLine = line + lineFeeds(buffer, start, found.from);
      if (found.to - found.from > maxBytes) {
        yield tooLong(buffer.subarray(found.from), recordLine, maxBytes);
      } else if (found.to > found.from) {
        const bytes = buffer.subarray(found.from, found.to);
        const { fault, isUnended } = found;
        yield { line: recordLine, bytes, ...known("fault", fault), ...known("isUnended", isUnended) };
      }
      line = recordLine + lineFeeds(buffer, found.from, found.next);
      start = found.next;
    }
    return buffer.subarray(start);
  }

  for await (const chunk of chunks) {
    let buffer = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (isFirst) {
      if (buffer.length < BYTE_ORDER_MARK.length) {
        pending = buffer;
        continue;
      }
      isFirst = false;
      if (buffer.indexOf(BYTE_ORDER_MARK) === 0) buffer = buffer.subarray(BYTE_ORDER_MARK.length);
    }
    pending = yield* records(buffer, false);
  }
  if (pending.length > 0) yield* records(pending, true);
}

/** The fault for a record that is too long to be read. */
function tooLong(bytes: Buffer, line: number, maxBytes: number): RawRecord {
  return { line, bytes: bytes.subarray(0, SHOWN_BYTES), fault: `is longer than ${maxBytes / 2 ** 20} MiB` };
}

function lineFeeds(buffer: Buffer, from: number, to: number): number {
  let count = 0;
  for (
    let at = buffer.indexOf(LINE_FEED, from);
    at !== -1 && at < to;
    at = buffer.indexOf(LINE_FEED, at + 1)
  ) {
    count += 1;
  }
  return count;
}
