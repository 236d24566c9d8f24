/** The first bytes of an index file. */
const MAGIC = "OPZKFIND";
/** Increase with every incompatible change: an index of another version is rebuilt. */
export const VERSION = 11;

/** The size of the header, which the checksum does not cover. */
export const HEADER_BYTES = 96;
/** The offset of the SHA-256 of the source. */
export const IDENTITY_OFFSET = 24;
export const IDENTITY_BYTES = 32;
/** The offset of the SHA-256 of everything after the header. */
export const CHECKSUM_OFFSET = 64;
export const CHECKSUM_BYTES = 32;
const ENTRY_BYTES = 32;
const NAME_BYTES = 24;
/** The unit of section offsets, which aligns every kind of array. */
const UNIT_BYTES = 8;
const MAX_SECTIONS = 64;
/** The offset of the first section: the table has room for all of them, because it is written last. */
const SECTIONS_OFFSET = HEADER_BYTES + MAX_SECTIONS * ENTRY_BYTES;

export type SectionArray = Uint8Array | Uint16Array | Uint32Array;

/** A named array of an index. Names are ASCII, at most 24 letters. */
export type Section = readonly [name: string, array: SectionArray];
export type SectionList = readonly Section[];

/** The index cannot be used and must be rebuilt from its source. */
export class UnusableIndex extends Error {}

const padded = (bytes: number) => Math.ceil(bytes / UNIT_BYTES) * UNIT_BYTES;

/**
 * Lays out an index: header (magic, version, number of sections, total length, identity, checksum), table of sections
 * (name, offset, size), then the sections. Numbers are little-endian. Calls `write` with each section and its offset,
 * and at last with header and table, so that a section is not needed after it was written.
 * @returns the length of the index, to which its last section is padded
 */
export function layOut(sections: Iterable<Section>, write: (bytes: Uint8Array, at: number) => void): number {
  const head = Buffer.alloc(SECTIONS_OFFSET);
  let at = SECTIONS_OFFSET;
  let count = 0;
  for (const [name, array] of sections) {
    if (count === MAX_SECTIONS) throw new RangeError(`an index has at most ${MAX_SECTIONS} sections`);
    const entry = HEADER_BYTES + count++ * ENTRY_BYTES;
    head.write(name, entry, NAME_BYTES, "latin1");
    head.writeUInt32LE(at / UNIT_BYTES, entry + NAME_BYTES);
    head.writeUInt32LE(array.byteLength, entry + NAME_BYTES + 4);
    write(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  head.write(MAGIC, 0, "latin1");
  head.writeUInt32LE(VERSION, 8);
  head.writeUInt32LE(count, 12);
  head.writeUInt32LE(at / UNIT_BYTES, 16);
  write(head, 0);
  return at;
}

/** Copies the sections of an index to a buffer that threads can share. */
export function indexInMemory(sections: Iterable<Section>): SharedArrayBuffer {
  const pieces: [bytes: Uint8Array, at: number][] = [];
  const all = new Uint8Array(
    new SharedArrayBuffer(layOut(sections, (bytes, at) => pieces.push([bytes, at]))),
  );
  for (const [bytes, at] of pieces) all.set(bytes, at);
  return all.buffer;
}

/** Checks a header against the length of the index. @throws {UnusableIndex} */
export function checkHeader(
  head: Buffer,
  length: number,
): { readonly count: number; readonly bytes: number } {
  if (length < HEADER_BYTES || head.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new UnusableIndex("it is not a name index");
  }
  const version = head.readUInt32LE(8);
  if (version !== VERSION)
    throw new UnusableIndex(`it has version ${version}, but this program reads ${VERSION}`);
  const bytes = head.readUInt32LE(16) * UNIT_BYTES;
  if (bytes !== length) throw new UnusableIndex(`it has ${length} bytes instead of ${bytes}`);
  const count = head.readUInt32LE(12);
  if (HEADER_BYTES + count * ENTRY_BYTES > length)
    throw new UnusableIndex("its table of sections is incomplete");
  return { count, bytes };
}

/** Returns the SHA-256 of the source from a header, in hexadecimal. */
export function identityIn(head: Buffer): string {
  return head.toString("hex", IDENTITY_OFFSET, IDENTITY_OFFSET + IDENTITY_BYTES);
}

/** Views of the arrays of an index in a buffer. */
export class Sections {
  readonly #buffer: SharedArrayBuffer;
  readonly #places = new Map<string, { readonly start: number; readonly bytes: number }>();

  /** @throws {UnusableIndex} when the buffer does not contain a complete index of this version */
  constructor(buffer: SharedArrayBuffer) {
    this.#buffer = buffer;
    const head = Buffer.from(buffer);
    const { count, bytes } = checkHeader(head, head.length);
    for (let entry = HEADER_BYTES; entry < HEADER_BYTES + count * ENTRY_BYTES; entry += ENTRY_BYTES) {
      const name = head.toString("latin1", entry, entry + NAME_BYTES).replace(/\0+$/, "");
      const start = head.readUInt32LE(entry + NAME_BYTES) * UNIT_BYTES;
      const size = head.readUInt32LE(entry + NAME_BYTES + 4);
      if (start + size > bytes) throw new UnusableIndex(`its section ${name} is incomplete`);
      this.#places.set(name, { start, bytes: size });
    }
  }

  /** The SHA-256 of the source, in hexadecimal. */
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
    if (place === undefined) throw new UnusableIndex(`its section ${name} is missing`);
    return place;
  }
}
