import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";

const CHUNK_BYTES = 256 << 10;

/**
 * Compresses a file into a new one by zstd. Memory stays flat.
 * @param onBytes told how many were read
 * @returns the SHA-256 of what was read and of what was written, in hexadecimal
 */
export async function compress(
  from: string,
  to: string,
  level: number,
  onBytes: (bytes: number) => void,
): Promise<{ readonly plain: string; readonly packed: string }> {
  const [plain, packed] = [createHash("sha256"), createHash("sha256")];
  let bytes = 0;
  await pipeline(
    createReadStream(from, { highWaterMark: CHUNK_BYTES }),
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        plain.update(part);
        yield part;
        bytes += part.length;
        onBytes(bytes);
      }
    },
    createZstdCompress({ chunkSize: CHUNK_BYTES, params: { [constants.ZSTD_c_compressionLevel]: level } }),
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        packed.update(part);
        yield part;
      }
    },
    createWriteStream(to),
  );
  return { plain: plain.digest("hex"), packed: packed.digest("hex") };
}
