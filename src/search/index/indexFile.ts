import { createHash } from "node:crypto";
import { closeSync, createReadStream, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import {
  CHECKSUM_BYTES,
  CHECKSUM_OFFSET,
  checkHeader,
  HEADER_BYTES,
  IDENTITY_BYTES,
  IDENTITY_OFFSET,
  identityIn,
  type SectionList,
  Sections,
  serialiseSections,
  UnusableIndex,
} from "./sections.ts";

/** Small enough for a server to verify a file without delaying requests. */
const VERIFY_CHUNK_BYTES = 256 << 10;
/** A single write is limited to 2 GB by the operating system. */
const WRITE_CHUNK_BYTES = 1 << 28;
/** With transparent huge pages on Linux, one large read is much slower than many of this size. */
const READ_CHUNK_BYTES = 1 << 20;

/**
 * Writes an index file. It is not valid until {@link writeIdentity} adds the identity, which is known only later.
 * @throws a system error when the file cannot be written
 */
export function writeIndexFile(path: string, sections: SectionList): void {
  const file = openSync(path, "w", OWN_FILE_MODE);
  const checksum = createHash("sha256");
  let remainingHeader = HEADER_BYTES;
  try {
    for (const piece of serialiseSections(sections)) {
      // Without the header, which contains the checksum.
      checksum.update(piece.subarray(Math.min(remainingHeader, piece.length)));
      remainingHeader = Math.max(0, remainingHeader - piece.length);
      for (let at = 0; at < piece.length; )
        at += writeSync(file, piece, at, Math.min(WRITE_CHUNK_BYTES, piece.length - at));
    }
    writeSync(file, checksum.digest(), 0, CHECKSUM_BYTES, CHECKSUM_OFFSET);
  } finally {
    closeSync(file);
  }
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
 * Reads an index file into memory that threads can share. Checks length, version and identity, and with `verifies` also the checksum.
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
