import { BYTE_ORDER_MARK, LINE_FEED } from "../records/cutRecords.ts";

/** About so many bytes are one block: a thousand companies. */
const BLOCK_BYTES = 1 << 20;

/**
 * Cuts a stream into blocks of whole lines, each in memory of its own; the last may lack its line break. Of a line above `maxLineBytes` a bit more
 * than that is kept, so that memory stays bounded and whoever reads the block still finds it too long.
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let parts: Buffer[] = [];
  let bytes = 0;
  /** How much there is of a line that is not ended yet; once it is too long, the rest of it is dropped. */
  let begun = 0;
  for await (const chunk of withoutMark(chunks)) {
    const lastLineEnd = chunk.lastIndexOf(LINE_FEED);
    const isCut = begun > maxLineBytes;
    const from = isCut ? firstKept(chunk) : 0;
    if (lastLineEnd === -1) {
      if (!isCut) {
        parts.push(chunk);
        bytes += chunk.length;
      }
      begun += chunk.length;
      continue;
    }
    begun = chunk.length - lastLineEnd - 1;
    parts.push(chunk.subarray(from, lastLineEnd + 1));
    bytes += lastLineEnd + 1 - from;
    const isFull = bytes >= BLOCK_BYTES;
    if (isFull) {
      yield joined(parts, bytes);
      parts = [];
      bytes = 0;
    }
    if (begun > 0) {
      parts.push(chunk.subarray(lastLineEnd + 1));
      bytes += begun;
    }
  }
  if (bytes > 0) yield joined(parts, bytes);
}

/** The line break that ends a line of which enough was kept. */
function firstKept(chunk: Buffer): number {
  return Math.max(0, chunk.indexOf(LINE_FEED));
}

function joined(parts: readonly Buffer[], bytes: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
}

/** The stream without the mark of UTF-8 that may stand at its beginning. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (pending === undefined) yield chunk;
    else {
      pending = Buffer.concat([pending, chunk]);
      if (pending.length < BYTE_ORDER_MARK.length) continue;
      yield pending.indexOf(BYTE_ORDER_MARK) === 0 ? pending.subarray(BYTE_ORDER_MARK.length) : pending;
      pending = undefined;
    }
  }
  if (pending !== undefined) yield pending;
}
