/**
 * The subset of the ustar format (POSIX.1-1988) for registry archives: plain files with short names, each below 8 GiB.
 */
import { badArchive } from "./failure.ts";

const BLOCK_BYTES = 512;
/** Eleven octal digits. */
export const MAX_ENTRY_BYTES = 8 ** 11 - 1;
const MAX_NAME_LENGTH = 99;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  /** Must be consumed before the next entry. */
  readonly body: AsyncIterable<Buffer>;
}

/** @param entries with ASCII names of at most 99 characters, none above MAX_ENTRY_BYTES */
export async function* packTar(entries: Iterable<TarEntry>): AsyncGenerator<Buffer> {
  for (const { name, bytes, body } of entries) {
    yield headerOf(name, bytes);
    yield* body;
    yield Buffer.alloc(paddingOf(bytes));
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/**
 * Yields the entries of an archive.
 * @throws {FetchFailure} `content` for an entry that {@link packTar} does not write
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function* take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) {
        const next = await source.next();
        if (next.done === true) throw badArchive("it ends early");
        rest = next.value;
      }
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  for (;;) {
    const header = Buffer.concat(await Array.fromAsync(take(BLOCK_BYTES)));
    if (header.every((byte) => byte === 0)) break;
    const name = header.toString("latin1", 0, MAX_NAME_LENGTH).replace(/\0.*$/s, "");
    const bytes = Number.parseInt(header.toString("latin1", 124, 135), 8);
    // Links, folders and extensions have other headers.
    if (!(bytes >= 0) || !header.equals(headerOf(name, bytes)))
      throw badArchive("it contains more than plain files");
    yield { name, bytes, body: take(bytes) };
    for await (const _ of take(paddingOf(bytes)));
  }
  while ((await source.next()).done !== true);
}

function headerOf(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, "latin1");
  // Mode, user and group; size and time; the checksum as spaces; the type; no link; magic and version.
  header.write("0000600\x000000000\x000000000\x00", 100, "latin1");
  header.write(`${bytes.toString(8).padStart(11, "0")}\x0000000000000\x00        0`, 124, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, "0")}\x00 `, 148, "latin1");
  return header;
}

function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}
