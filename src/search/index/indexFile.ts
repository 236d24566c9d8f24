import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import {
  IDENTITY_BYTES,
  IDENTITY_OFFSET,
  layOut,
  type SectionList,
  Sections,
  UnusableIndex,
} from "./sections.ts";

/** No call of the system reads or writes more than two gigabytes. */
const AT_ONCE_BYTES = 1 << 28;

/**
 * Writes an index to a file, without the word of what it was built of: nobody reads it before {@link writeIdentity}.
 * @throws what the system says when the file cannot be written
 */
export function writeIndexFile(path: string, sections: SectionList): void {
  const file = openSync(path, "w", OWN_FILE_MODE);
  try {
    for (const piece of layOut(sections)) {
      for (let at = 0; at < piece.length; )
        at += writeSync(file, piece, at, Math.min(AT_ONCE_BYTES, piece.length - at));
    }
  } finally {
    closeSync(file);
  }
}

/** Says of an index file what it was built of. @param identity a SHA-256, in hexadecimal */
export function writeIdentity(path: string, identity: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, Buffer.from(identity, "hex"), 0, IDENTITY_BYTES, IDENTITY_OFFSET);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a whole index file into memory that threads can share. Checked are its length, that it is an index of this version, and
 * what it was built of.
 * @throws {UnusableIndex} when it is not there, or not that
 */
export function readIndexFile(path: string, identity: string): SharedArrayBuffer {
  const buffer = readWhole(path);
  const sections = new Sections(buffer);
  if (sections.identity !== identity) throw new UnusableIndex("it was built of something else");
  return buffer;
}

function readWhole(path: string): SharedArrayBuffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new UnusableIndex("it cannot be read", { cause: error });
  }
  try {
    const { size } = fstatSync(file);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < size; ) {
      const read = readSync(file, bytes, at, Math.min(AT_ONCE_BYTES, size - at), at);
      if (read === 0) throw new UnusableIndex("it became shorter while it was read");
      at += read;
    }
    return buffer;
  } finally {
    closeSync(file);
  }
}
