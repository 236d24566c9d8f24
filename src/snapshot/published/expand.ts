import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdDecompress } from "node:zlib";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { FetchFailure } from "./failure.ts";

const CHUNK_BYTES = 256 << 10;
/** The decoder may look back, and so hold in memory, 2^27 bytes at most. */
const LARGEST_WINDOW_LOG = 27;

/**
 * Unpacks a zstd file to a new file, which must turn out exactly as long and with the content that was promised. Stops at
 * the first byte too many. Memory stays flat, and the event loop is free: decoding and the sync to the disk go on beside it.
 * @throws {FetchFailure} `content`
 */
export async function expand(
  from: string,
  to: string,
  promised: { readonly bytes: number; readonly sha256: string },
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measured(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > promised.bytes) throw differs("it expands to more");
      hash.update(part);
      yield part;
      onBytes(bytes);
    }
  }
  const decoder = createZstdDecompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: LARGEST_WINDOW_LOG },
  });
  try {
    const packed = createReadStream(from, { highWaterMark: CHUNK_BYTES });
    await pipeline(
      packed,
      decoder,
      measured,
      createWriteStream(to, { flags: "wx", flush: true, mode: OWN_FILE_MODE }),
      {
        signal,
      },
    );
  } catch (error) {
    throw isOfDecoder(error) ? differs("it is cut off, or no zstd", error) : error;
  }
  if (bytes !== promised.bytes) throw differs("it expands to less");
  if (hash.digest("hex") !== promised.sha256) throw differs("its SHA-256 differs");
}

function differs(how: string, cause?: unknown): FetchFailure {
  return new FetchFailure(
    "content",
    `The published file does not unpack to the snapshot that the manifest promises (${how}): publish anew.`,
    { cause },
  );
}

function isOfDecoder(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(ZSTD_|Z_|ERR_ZLIB)/.test(String(error.code));
}
