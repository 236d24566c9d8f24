import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import {
  CHECKSUM_BYTES,
  CHECKSUM_OFFSET,
  checkHeader,
  HEADER_BYTES,
  IDENTITY_BYTES,
  IDENTITY_OFFSET,
  identityIn,
  layOut,
  type Section,
  Sections,
  UnusableIndex,
} from "./sections.ts";

/** Small enough for a server to verify a file without delaying requests. */
const VERIFY_CHUNK_BYTES = 256 << 10;
/** A single write is limited to 2 GB by the operating system. */
const WRITE_CHUNK_BYTES = 1 << 28;
/** With transparent huge pages on Linux, one large read is much slower than many of this size. */
const READ_CHUNK_BYTES = 1 << 20;

/**
 * Writes an index file, one section after another, so that they need not be in memory at the same time. It is not valid
 * until {@link writeIdentity} adds the identity, which is known only later.
 * @throws a system error when the file cannot be written
 */
export function writeIndexFile(path: string, sections: Iterable<Section>): void {
  const file = openSync(path, "w+", OWN_FILE_MODE);
  try {
    const length = layOut(sections, (bytes, at) => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, Math.min(WRITE_CHUNK_BYTES, bytes.length - done), at + done);
    });
    ftruncateSync(file, length);
    writeSync(file, checksumOf(file, length), 0, CHECKSUM_BYTES, CHECKSUM_OFFSET);
  } finally {
    closeSync(file);
  }
}

/** Hashes everything after the header, which contains the checksum. */
function checksumOf(file: number, length: number): Buffer {
  const checksum = createHash("sha256");
  const part = Buffer.alloc(READ_CHUNK_BYTES);
  for (let at = HEADER_BYTES; at < length; ) {
    const read = readSync(file, part, 0, part.length, at);
    if (read === 0) throw new RangeError("an index file ended while it was written");
    checksum.update(part.subarray(0, read));
    at += read;
  }
  return checksum.digest();
}

/** Records the source of an index file, a layer. @param identity the SHA-256 of that file, in hexadecimal */
export function writeIdentity(path: string, identity: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, Buffer.from(identity, "hex"), 0, IDENTITY_BYTES, IDENTITY_OFFSET);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads an index file into memory that threads can share. Checks length, version and identity, and with `verifies` also
 * the checksum.
 * @throws {UnusableIndex} when the file is missing or a check fails
 */
export function readIndexFile(
  path: string,
  identity: string,
  { verifies = false }: { readonly verifies?: boolean } = {},
): SharedArrayBuffer {
  const buffer = readWhole(path);
  const sections = new Sections(buffer);
  if (sections.identity !== identity) throw new UnusableIndex("it was built from another source");
  if (verifies) {
    const all = new Uint8Array(buffer);
    checkChecksum(createHash("sha256").update(all.subarray(HEADER_BYTES)).digest(), all);
  }
  return buffer;
}

/**
 * Verifies an index file without loading it, with all checks of {@link readIndexFile}.
 * @throws {UnusableIndex} (the promise)
 */
export async function verifyIndexFile(path: string, identity: string, signal?: AbortSignal): Promise<void> {
  const header = readHeader(path);
  if (identityIn(header) !== identity) throw new UnusableIndex("it was built from another source");
  const checksum = createHash("sha256");
  const parts = createReadStream(path, {
    start: HEADER_BYTES,
    highWaterMark: VERIFY_CHUNK_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const part of parts) checksum.update(part);
  checkChecksum(checksum.digest(), header);
}

/** Reads and checks the header. @throws {UnusableIndex} */
function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openForReading(path);
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
    checkHeader(header, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
  return header;
}

function checkChecksum(found: Buffer, header: Uint8Array): void {
  const written = header.subarray(CHECKSUM_OFFSET, CHECKSUM_OFFSET + CHECKSUM_BYTES);
  if (!found.equals(written)) throw new UnusableIndex("its checksum does not match");
}

function readWhole(path: string): SharedArrayBuffer {
  const file = openForReading(path);
  try {
    const { size } = fstatSync(file);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < size; ) {
      const read = readSync(file, bytes, at, Math.min(READ_CHUNK_BYTES, size - at), at);
      if (read === 0) throw new UnusableIndex("it was truncated while it was read");
      at += read;
    }
    return buffer;
  } finally {
    closeSync(file);
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new UnusableIndex(isMissing ? "it is missing" : "it cannot be read", { cause: error });
  }
}
