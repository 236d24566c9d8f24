/** "OPZKFIND" marks a file as one of our indexes of names. */
const MAGIC = "OPZKFIND";
/** Raised with every change that an older program cannot read: an index of another version is built anew. */
export const VERSION = 7;

/** Bytes before the part that the checksum covers. */
export const HEADER_BYTES = 96;
/** The place in the header of the SHA-256 of the source of the index. */
export const IDENTITY_OFFSET = 24;
export const IDENTITY_BYTES = 32;
/** The place of the SHA-256 of everything after the header. */
export const CHECKSUM_OFFSET = 64;
export const CHECKSUM_BYTES = 32;
const ENTRY_BYTES = 32;
const NAME_BYTES = 24;
/** The unit of offsets of sections, in bytes: aligned for every kind of array. */
const UNIT_BYTES = 8;

export type SectionArray = Uint8Array | Uint16Array | Uint32Array;

/** The arrays of an index by their names (ASCII, 24 letters at most), in the order in which they lie. */
export type SectionList = readonly (readonly [name: string, array: SectionArray])[];

/** An unusable index, and why. It can always be rebuilt from its source. */
export class UnusableIndex extends Error {}

const padded = (bytes: number) => Math.ceil(bytes / UNIT_BYTES) * UNIT_BYTES;

/**
 * The layout of an index: header (magic, version, number of sections, length of all, what it was built of, checksum), the table of sections (name, where it begins,
 * bytes), then the sections themselves. Numbers are little-endian, as every machine that Node.js runs on has them.
 * @returns the pieces in their order, the arrays not copied: one file, or one buffer, when they are put together
 */
export function layOut(sections: SectionList): Uint8Array[] {
  const head = Buffer.alloc(padded(HEADER_BYTES + sections.length * ENTRY_BYTES));
  const pieces: Uint8Array[] = [head];
  let at = head.length;
  for (const [index, [name, array]] of sections.entries()) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    head.write(name, entry, NAME_BYTES, "latin1");
    head.writeUInt32LE(at / UNIT_BYTES, entry + NAME_BYTES);
    head.writeUInt32LE(array.byteLength, entry + NAME_BYTES + 4);
    pieces.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    const gap = padded(array.byteLength) - array.byteLength;
    if (gap > 0) pieces.push(new Uint8Array(gap));
    at += array.byteLength + gap;
  }
  head.write(MAGIC, 0, "latin1");
  head.writeUInt32LE(VERSION, 8);
  head.writeUInt32LE(sections.length, 12);
  head.writeUInt32LE(at / UNIT_BYTES, 16);
  return pieces;
}

/** The pieces of {@link layOut} as one buffer that threads can share. */
export function joinPieces(pieces: readonly Uint8Array[]): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(pieces.reduce((bytes, piece) => bytes + piece.length, 0));
  const all = new Uint8Array(buffer);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return buffer;
}

/**
 * Checks what a header says against how long the index is.
 * @throws {UnusableIndex}
 */
export function checkHeader(
  head: Buffer,
  length: number,
): { readonly count: number; readonly bytes: number } {
  if (length < HEADER_BYTES || head.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new UnusableIndex("it is no index of names");
  }
  const version = head.readUInt32LE(8);
  if (version !== VERSION)
    throw new UnusableIndex(`it has version ${version} and this program reads ${VERSION}`);
  const bytes = head.readUInt32LE(16) * UNIT_BYTES;
  if (bytes !== length) throw new UnusableIndex(`it has ${length} bytes where ${bytes} were written`);
  const count = head.readUInt32LE(12);
  if (HEADER_BYTES + count * ENTRY_BYTES > length) throw new UnusableIndex("its table ends behind its end");
  return { count, bytes };
}

/** Identifies the content that an index was built from, from its header: a SHA-256, in hexadecimal. */
export function identityIn(head: Buffer): string {
  return head.toString("hex", IDENTITY_OFFSET, IDENTITY_OFFSET + IDENTITY_BYTES);
}

/** The arrays of an index in a buffer, which are views of it. */
export class Sections {
  readonly #buffer: SharedArrayBuffer;
  readonly #places = new Map<string, { readonly start: number; readonly bytes: number }>();

  /** @throws {UnusableIndex} when the buffer holds no index, one of another version, or only a part of one */
  constructor(buffer: SharedArrayBuffer) {
    this.#buffer = buffer;
    const head = Buffer.from(buffer);
    const { count, bytes } = checkHeader(head, head.length);
    for (let entry = HEADER_BYTES; entry < HEADER_BYTES + count * ENTRY_BYTES; entry += ENTRY_BYTES) {
      const name = head.toString("latin1", entry, entry + NAME_BYTES).replace(/\0+$/, "");
      const start = head.readUInt32LE(entry + NAME_BYTES) * UNIT_BYTES;
      const size = head.readUInt32LE(entry + NAME_BYTES + 4);
      if (start + size > bytes) throw new UnusableIndex(`its section ${name} ends behind its end`);
      this.#places.set(name, { start, bytes: size });
    }
  }

  /** The SHA-256 of its source, in hexadecimal. */
  get identity(): string {
    return identityIn(Buffer.from(this.#buffer));
  }

  /** The size of each section in bytes. */
  sizes(): ReadonlyMap<string, number> {
    return new Map([...this.#places].map(([name, { bytes }]) => [name, bytes]));
  }

  u16(name: string): Uint16Array {
    const { start, bytes } = this.#place(name);
    return new Uint16Array(this.#buffer, start, bytes / 2);
  }

  u32(name: string): Uint32Array {
    const { start, bytes } = this.#place(name);
    return new Uint32Array(this.#buffer, start, bytes / 4);
  }

  bytes(name: string): Buffer {
    const { start, bytes } = this.#place(name);
    return Buffer.from(this.#buffer, start, bytes);
  }

  #place(name: string): { readonly start: number; readonly bytes: number } {
    const place = this.#places.get(name);
    if (place === undefined) throw new UnusableIndex(`it has no section ${name}`);
    return place;
  }
}
