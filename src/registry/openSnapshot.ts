import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { namedLayers, readPointer } from "./directory.ts";
import { DamagedSnapshot, ReplacedFile } from "./errors.ts";
import { type LayerInfo, layersOf, type SnapshotInfo } from "./info.ts";
import { LayerFile } from "./layerFile.ts";
import { APPLICATION_ID, LAYOUT_VERSION } from "./layout.ts";
import { SnapshotFile } from "./snapshotFile.ts";
import { openReadOnly } from "./sqlite.ts";
import type { LoadedNames } from "./types.ts";
import { identityOf } from "./verifiedNote.ts";

const SQLITE_HEADER_BYTES = 100;
const SQLITE_MAGIC = "SQLite format 3\0";
/** Offsets of two numbers in the header of a SQLite file: https://www.sqlite.org/fileformat.html#the_database_header */
const USER_VERSION_OFFSET = 60;
const APPLICATION_ID_OFFSET = 68;
/** Small, so that hashing does not delay the requests of a server. */
const HASHED_AT_ONCE_BYTES = 256 << 10;

/**
 * Opens a snapshot for reading.
 * @param names the indexes of its names, if they are loaded
 * @param before an open snapshot: files of both are opened once, and closed with the later one
 * @throws {DamagedSnapshot | ReplacedFile} when a check of {@link openLayer} fails
 */
export function openSnapshot(
  directory: string,
  info: SnapshotInfo,
  { names, before }: { names?: LoadedNames | "building"; before?: SnapshotFile | undefined } = {},
): SnapshotFile {
  const open = (layer: LayerInfo) => {
    // The name does not identify a file, because numbers are reused.
    const shared = before?.layers.find(({ info: one }) => nameAndContent(one) === nameAndContent(layer));
    return shared?.shared() ?? openLayer(join(directory, layer.file), layer);
  };
  const [baseInfo, deltaInfo] = layersOf(info);
  const base = open(baseInfo);
  try {
    return new SnapshotFile(info, [base, deltaInfo && open(deltaInfo)], names);
  } catch (error) {
    base.close();
    throw error;
  }
}

/**
 * Opens a snapshot that the pointer names. While it does, no other file gets the name of one of its files.
 * @throws {ReplacedFile} also when the pointer no longer names all of its files, because another file may have been
 * opened
 */
export function openNamed(
  directory: string,
  info: SnapshotInfo,
  options: { names: LoadedNames | "building"; before?: SnapshotFile | undefined },
): SnapshotFile {
  const opened = openSnapshot(directory, info, options);
  try {
    const named = new Set(namedLayers(readPointer(directory)).map(nameAndContent));
    const gone = layersOf(info).find((layer) => !named.has(nameAndContent(layer)));
    if (gone !== undefined) throw new ReplacedFile(join(directory, gone.file));
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

function nameAndContent({ file, sha256 }: LayerInfo): string {
  return `${file} ${sha256}`;
}

/**
 * Opens one file of a snapshot for reading. Checks size, header, layout, and that it was finished, without reading the
 * whole file.
 * @throws {DamagedSnapshot} when a check fails
 * @throws {ReplacedFile} when it is replaced while it is opened
 */
export function openLayer(path: string, info: LayerInfo): LayerFile {
  const identity = identityOf(path, info.sha256);
  checkSizeAndHeader(path, info);
  let db: DatabaseSync | undefined;
  try {
    db = openReadOnly(path);
    const layer = new LayerFile(db, { path, info });
    // SQLite opens files by name. If the name still refers to the same file, that file was opened.
    if (identityOf(path, info.sha256) !== identity) throw new ReplacedFile(path);
    return layer;
  } catch (error) {
    db?.close();
    if (error instanceof ReplacedFile) throw error;
    const reason = error instanceof Error ? error.message : "it cannot be opened";
    throw new DamagedSnapshot(path, reason, { cause: error });
  }
}

/**
 * Reads a file of a snapshot and compares its SHA-256 with the one computed when it was built.
 * @param onBytes called periodically with the number of bytes read
 * @throws {DamagedSnapshot} when they differ or the file cannot be read
 */
export async function verifySnapshot(
  path: string,
  info: LayerInfo,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  checkSizeAndHeader(path, info);
  if ((await sha256OfFile(path, undefined, onBytes)) !== info.sha256) {
    throw new DamagedSnapshot(path, "its content has changed (SHA-256 differs)");
  }
}

/** Returns the SHA-256 of a file in hexadecimal. @param onBytes called with the number of bytes read */
export async function sha256OfFile(
  path: string,
  signal?: AbortSignal,
  onBytes: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = createHash("sha256");
  const parts = createReadStream(path, {
    highWaterMark: HASHED_AT_ONCE_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  let bytes = 0;
  for await (const part of parts) {
    hash.update(part);
    bytes += part.length;
    onBytes(bytes);
  }
  return hash.digest("hex");
}

/** @throws {DamagedSnapshot} when the file has another size, or is not a snapshot that this program reads */
export function checkSizeAndHeader(path: string, info: LayerInfo): void {
  let bytes: number;
  const header = Buffer.alloc(SQLITE_HEADER_BYTES);
  try {
    bytes = statSync(path).size;
    const file = openSync(path, "r");
    try {
      readSync(file, header, 0, SQLITE_HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new DamagedSnapshot(path, "it cannot be read", { cause: error });
  }
  if (bytes !== info.bytes) {
    throw new DamagedSnapshot(path, `it has ${bytes} bytes instead of ${info.bytes}`);
  }
  if (header.toString("latin1", 0, SQLITE_MAGIC.length) !== SQLITE_MAGIC) {
    throw new DamagedSnapshot(path, "it is not a SQLite file");
  }
  if (header.readUInt32BE(APPLICATION_ID_OFFSET) !== APPLICATION_ID) {
    throw new DamagedSnapshot(path, "it is not a registry snapshot");
  }
  const version = header.readUInt32BE(USER_VERSION_OFFSET);
  if (version !== LAYOUT_VERSION) {
    throw new DamagedSnapshot(
      path,
      `it has layout ${version}, but this program reads layout ${LAYOUT_VERSION}`,
    );
  }
}

/**
 * Opens the current snapshot without reading all of it; undefined before the first import.
 * @throws {DamagedSnapshot}
 */
export function openCurrentSnapshot(directory: string): SnapshotFile | undefined {
  const current = readPointer(directory)?.current;
  return current === undefined ? undefined : openSnapshot(directory, current);
}
