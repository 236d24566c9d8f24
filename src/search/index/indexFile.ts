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
  layOut,
  type SectionList,
  Sections,
  UnusableIndex,
} from "./sections.ts";

/** The size of one read: small enough for a server to verify a file without delaying calls. */
const VERIFIED_AT_ONCE_BYTES = 256 << 10;
/** No call of the system writes more than two gigabytes. */
const WRITTEN_AT_ONCE_BYTES = 1 << 28;
/** Where Linux gives memory in pages of two megabytes, one call for all of it takes eight times as long as many. */
const READ_AT_ONCE_BYTES = 1 << 20;

/**
 * Writes an index to a file without its identity: it is not valid before {@link writeIdentity}.
 * @throws what the system says when the file cannot be written
 */
export function writeIndexFile(path: string, sections: SectionList): void {
  const file = openSync(path, "w", OWN_FILE_MODE);
  const checksum = createHash("sha256");
  let headerLeft = HEADER_BYTES;
  try {
    for (const piece of layOut(sections)) {
      checksum.update(piece.subarray(Math.min(headerLeft, piece.length)));
      headerLeft = Math.max(0, headerLeft - piece.length);
      for (let at = 0; at < piece.length; )
        at += writeSync(file, piece, at, Math.min(WRITTEN_AT_ONCE_BYTES, piece.length - at));
    }
    writeSync(file, checksum.digest(), 0, CHECKSUM_BYTES, CHECKSUM_OFFSET);
  } finally {
    closeSync(file);
  }
}

/**
 * Records what an index file was built from.
 * @param identity a SHA-256, in hexadecimal
 */
export function writeIdentity(path: string, identity: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, Buffer.from(identity, "hex"), 0, IDENTITY_BYTES, IDENTITY_OFFSET);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a whole index file into memory that threads can share. Checked are its length, that it is an index of this version, what it was built
 * of, and with `verifies` that it holds what was written.
 * @throws {UnusableIndex} when it is not there, or not that
 */
export function readIndexFile(
  path: string,
  identity: string,
  { verifies = false }: { readonly verifies?: boolean } = {},
): SharedArrayBuffer {
  const buffer = readWhole(path);
  const sections = new Sections(buffer);
  if (sections.identity !== identity) throw new UnusableIndex("it was built of something else");
  if (verifies) {
    const all = new Uint8Array(buffer);
    checkChecksum(createHash("sha256").update(all.subarray(HEADER_BYTES)).digest(), all);
  }
  return buffer;
}

/**
 * Reads an index file to its end, without storing it, with the checks of {@link readIndexFile}.
 * @throws {UnusableIndex} (the promise)
 */
export async function verifyIndexFile(path: string, identity: string, signal?: AbortSignal): Promise<void> {
  const header = readHeader(path);
  if (identityIn(header) !== identity) throw new UnusableIndex("it was built of something else");
  const checksum = createHash("sha256");
  const parts = createReadStream(path, {
    start: HEADER_BYTES,
    highWaterMark: VERIFIED_AT_ONCE_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const part of parts) checksum.update(part);
  checkChecksum(checksum.digest(), header);
}

/** The header of an index of this version. @throws {UnusableIndex} */
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
  if (!found.equals(written)) throw new UnusableIndex("its content is not what was written");
}

function readWhole(path: string): SharedArrayBuffer {
  const file = openForReading(path);
  try {
    const { size } = fstatSync(file);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < size; ) {
      const read = readSync(file, bytes, at, Math.min(READ_AT_ONCE_BYTES, size - at), at);
      if (read === 0) throw new UnusableIndex("it became shorter while it was read");
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
