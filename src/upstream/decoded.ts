import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  zstdDecompress,
} from "node:zlib";

type Decode = (bytes: Buffer, options: Pick<ZlibOptions, "maxOutputLength">) => Promise<Buffer>;

const decodeGzip: Decode = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
const decodeZlib: Decode = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const decodeRawDeflate: Decode = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);
const decodeBrotli: Decode = promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress);
const decodeZstd = promisify(zstdDecompress);
/** RFC 9659: a window of 8 MiB at most. */
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", decodeGzip],
  ["x-gzip", decodeGzip],
  // RFC 9110, section 8.4.1.2: zlib format, though some servers send raw deflate. Only zlib begins with method 8.
  [
    "deflate",
    (bytes, options) => (((bytes[0] ?? 0) & 0x0f) === 8 ? decodeZlib : decodeRawDeflate)(bytes, options),
  ],
  ["br", decodeBrotli],
  ["zstd", (bytes, options) => decodeZstd(bytes, { ...ZSTD_WINDOW, ...options })],
]);
const MAX_CODINGS = 3;

/**
 * A body without its `Content-Encoding`. It is returned as received when it cannot be decoded: some proxies decompress
 * a body and keep the header, and anything else is rejected by the parser.
 * @throws (the promise) an error with code `ERR_BUFFER_TOO_LARGE` when the decoded body has more than `maxBytes`
 */
export async function decoded(received: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) return received;
  let bytes = received;
  try {
    for (const coding of codings.reverse()) {
      const decode = DECODERS.get(coding);
      if (decode === undefined) return received;
      bytes = await decode(bytes, { maxOutputLength: maxBytes });
    }
    return bytes;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return received;
  }
}
