/**
 * An archive is a registry's folder in tar and zstd: the pointer, the files of the layers and their indexes of names.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { badArchive } from "./failure.ts";
import { packTar, readTar, type TarEntry } from "./tar.ts";

const CHUNK_BYTES = 256 << 10;
/** Level 3 makes an archive that is 10 % larger in 40 % of the time. */
const LEVEL = 9;
/** The decoder keeps at most 2^27 bytes in memory. */
const MAX_WINDOW_LOG = 27;
/**
 * The name of a layer's index in an archive. Its version is in the file: all versions of this program accept the name.
 */
export function archivedNamesOf(layerFile: string): string {
  return layerFile.replace(/\.sqlite$/, ".names");
}

const ENTRY = /^(current\.json|(snapshot|segment)-[1-9][0-9]{0,15}\.(sqlite|names))$/;

export interface ArchiveSizes {
  readonly sha256: string;
  readonly bytes: number;
  /** After zstd. */
  readonly unpackedBytes: number;
}

export interface Receiving {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** Reads a file, which is opened on first use. */
export async function* readParts(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/** Calls `observe` with each part before passing it on. */
async function* observed(
  parts: AsyncIterable<Buffer>,
  observe: (part: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    observe(part);
    yield part;
  }
}

/** Writes a new file in constant memory. The umask sets its mode, because a web server must be able to read it. */
export async function writeArchive(
  entries: readonly TarEntry[],
  path: string,
  onBytes: (bytes: number) => void,
): Promise<ArchiveSizes> {
  const hash = createHash("sha256");
  let [unpackedBytes, bytes] = [0, 0];
  const unpacked = observed(packTar(entries), (part) => {
    unpackedBytes += part.length;
    onBytes(unpackedBytes);
  });
  const zstd = createZstdCompress({
    chunkSize: CHUNK_BYTES,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  const pack = (parts: AsyncIterable<Buffer>) =>
    observed(parts, (part) => {
      bytes += part.length;
      hash.update(part);
    });
  await pipeline(unpacked, zstd, pack, createWriteStream(path, { flush: true }));
  return { sha256: hash.digest("hex"), bytes, unpackedBytes };
}

/**
 * Writes a downloaded archive to a new file and verifies size and SHA-256. Stops at the first excess byte.
 * @throws {FetchFailure} `content`
 */
export async function saveArchive(
  body: AsyncIterable<Buffer>,
  path: string,
  promised: ArchiveSizes,
  { signal, onBytes }: Receiving,
): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = observed(body, (part) => {
    bytes += part.length;
    if (bytes > promised.bytes) throw badArchive("it is longer");
    hash.update(part);
    onBytes(bytes);
  });
  await pipeline(measured, createWriteStream(path, { flags: "wx", mode: OWN_FILE_MODE }), { signal });
  if (bytes < promised.bytes) throw badArchive(`it ends after ${bytes} of ${promised.bytes} bytes`);
  if (hash.digest("hex") !== promised.sha256) throw badArchive("its SHA-256 differs");
}

/**
 * Unpacks a verified archive into a folder, in constant memory.
 * @throws {FetchFailure} `content` for anything except registry files, or a different size
 */
export async function unpackArchive(
  path: string,
  folder: string,
  promised: ArchiveSizes,
  { signal, onBytes }: Receiving,
): Promise<void> {
  let bytes = 0;
  const count = (part: Buffer) => {
    bytes += part.length;
    if (bytes > promised.unpackedBytes) throw badArchive("it unpacks to more");
    onBytes(bytes);
  };
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG };
  const names = new Set<string>();
  try {
    await pipeline(
      readParts(path),
      createZstdDecompress({ chunkSize: CHUNK_BYTES, params }),
      async (parts: AsyncIterable<Buffer>) => {
        for await (const { name, body } of readTar(observed(parts, count))) {
          if (!ENTRY.test(name) || names.has(name))
            throw badArchive("it contains a file with an unexpected name");
          names.add(name);
          const target = createWriteStream(join(folder, name), { flags: "wx", mode: OWN_FILE_MODE });
          await pipeline(body, target, { signal });
        }
      },
      { signal },
    );
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw /^(ZSTD_|Z_|ERR_ZLIB)/.test(code) ? badArchive("it is not zstd, or incomplete", error) : error;
  }
  if (bytes !== promised.unpackedBytes) throw badArchive("it unpacks to less");
}
