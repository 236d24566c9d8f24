import type { BigIntStats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { ImportRefused } from "../outcome.ts";
import { peek } from "../peek.ts";
import { HEAD_BYTES, recognise } from "./content.ts";
import { counting, openOnlyEntry, through } from "./zip.ts";

/** The name that stands for standard input. */
export const STDIN = "-";

const CHUNK_BYTES = 256 * 1024;

/** Bounds for the expansion of archives. */
export interface ExpansionLimits {
  /** The world-wide LEI golden copy expands to 5 GB, four million companies of ours to about as much. */
  readonly maxExpandedBytes: number;
  /** Real registers compress 10 to 40 times; deflate can reach 1,032. */
  readonly maxRatio: number;
  /** Smaller files may have any ratio: a short file of equal rows compresses well too. */
  readonly ratioFreeBytes: number;
}

const EXPANSION_LIMITS: ExpansionLimits = {
  maxExpandedBytes: 64 * 2 ** 30,
  maxRatio: 200,
  ratioFreeBytes: 64 * 2 ** 20,
};

export interface ImportInput {
  /** Its name in messages. */
  readonly shownName: string;
  /**
   * The unpacked text. Errors while reading, such as a file that changes in the meantime, are thrown as
   * {@link ImportRefused}.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** The number of bytes to read (packed), if it is known before the end. */
  readonly totalBytes: number | undefined;
  /** How many of them were read so far. */
  bytesRead(): number;
  /** When the file was last changed; undefined for a pipe. */
  readonly modifiedAt: Date | undefined;
  close(): Promise<void>;
}

/**
 * Opens a plain file, a gzip or zip file (recognised by content, not by name) or `-` for standard input.
 * @throws {ImportRefused} when it cannot be read or is not text
 */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Buffer>,
  limits: ExpansionLimits = EXPANSION_LIMITS,
): Promise<ImportInput> {
  const shownName = path === STDIN ? "standard input" : path;
  // Closed in the reverse order of opening.
  const closers: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers) await closeOne();
  };
  let bytesRead = 0;
  const onBytes = (bytes: number) => {
    bytesRead += bytes;
  };
  try {
    const handle = path === STDIN ? undefined : await open(path);
    if (handle !== undefined) closers.push(() => handle.close());
    const file = handle && (await stateOf(handle, path));
    const packed = await peek(counting(handle === undefined ? stdin : chunksOf(handle), onBytes), HEAD_BYTES);
    closers.unshift(packed.stop);
    let unpacked = packed.whole;
    let packedBytes = file && Number(file.size);
    const content = recognise(packed.head);
    if (content.kind === "gzip") {
      const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
      unpacked = capped(through(packed.whole, gunzip), () => bytesRead, limits, shownName);
    } else if (content.kind === "zip") {
      if (file === undefined) throw new ImportRefused(zipNeedsFile(shownName));
      // The zip reader opens the file again, because it begins at the end.
      await packed.stop();
      bytesRead = 0;
      const entry = await openOnlyEntry(path, shownName, onBytes);
      closers.unshift(entry.close);
      packedBytes = entry.compressedBytes;
      unpacked = capped(entry.chunks, () => bytesRead, limits, shownName);
    }
    const text = await peek(unpacked, HEAD_BYTES);
    closers.unshift(text.stop);
    refuseUnlessText(text.head, shownName);
    const stateNow = async () => handle && (await stateOf(handle, path));
    return {
      shownName,
      chunks: unchanged(text.whole, file, stateNow, shownName),
      totalBytes: packedBytes,
      bytesRead: () => bytesRead,
      modifiedAt: file?.mtime,
      close,
    };
  } catch (error) {
    await close();
    throw explained(error, shownName);
  }
}

/**
 * Passes `expanded` on until it exceeds the limits.
 * @param compressedBytes how many bytes of the archive were read so far
 * @throws {ImportRefused} when it does
 */
async function* capped(
  expanded: AsyncIterable<Buffer>,
  compressedBytes: () => number,
  limits: ExpansionLimits,
  shownName: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of expanded) {
    bytes += chunk.length;
    if (bytes > limits.maxExpandedBytes) {
      throw new ImportRefused(
        `${shownName} expands to more than ${shownBytes(limits.maxExpandedBytes)}, which no register does. ` +
          "Unpack it yourself and import the plain file if you trust it.",
      );
    }
    if (bytes > limits.ratioFreeBytes && bytes > compressedBytes() * limits.maxRatio) {
      throw new ImportRefused(
        `${shownName} expands more than ${limits.maxRatio} times (so far ${shownBytes(bytes)} out of ` +
          `${shownBytes(compressedBytes())}), as archives do that are made to exhaust a machine. ` +
          "Unpack it yourself and import the plain file if you trust it.",
      );
    }
    yield chunk;
  }
}

function shownBytes(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Reads on where reading stopped. A caller that stops early leaves the file open. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

/** The state of a file; undefined for a pipe, which has neither size nor time. */
async function stateOf(handle: FileHandle, path: string): Promise<BigIntStats | undefined> {
  const stats = await handle.stat({ bigint: true });
  if (stats.isDirectory()) throw new ImportRefused(`${path} is a folder. Name the files in it.`);
  return stats.isFile() ? stats : undefined;
}

/**
 * Passes `chunks` on, explains errors, and checks at the end that the file did not change: otherwise part of it may be
 * missing.
 */
async function* unchanged(
  chunks: AsyncIterable<Buffer>,
  before: BigIntStats | undefined,
  stateNow: () => Promise<BigIntStats | undefined>,
  shownName: string,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    const now = await stateNow();
    if (now?.size === before?.size && now?.mtimeNs === before?.mtimeNs) return;
  } catch (error) {
    throw explained(error, shownName);
  }
  throw new ImportRefused(
    `${shownName} was changed while it was read, so part of it may be missing. The registry is as it was: import the file again when nothing writes to it any more.`,
  );
}

function zipNeedsFile(shownName: string): string {
  return (
    `${shownName} is a zip archive, which cannot be read from a pipe (its table of contents is at its end). ` +
    "Save it and name the file, or pipe the unpacked text: unzip -p FILE.zip | opzoek import FORMAT -"
  );
}

function refuseUnlessText(head: Buffer, shownName: string): void {
  const content = recognise(head);
  if (content.kind === "empty") throw new ImportRefused(`${shownName} is empty.`);
  if (content.kind === "unusable") {
    throw new ImportRefused(`${shownName} is ${content.what}. ${content.advice}`);
  }
  if (content.kind !== "text") {
    throw new ImportRefused(`${shownName} holds an archive within an archive. Unpack the outer one first.`);
  }
}

const READING_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist. Check the path.",
  EACCES: "may not be read by this user. Check its permissions.",
  Z_BUF_ERROR: "ends in the middle of its compressed data: it is cut off. Fetch it again.",
  Z_DATA_ERROR: "is damaged: its compressed data is not what its checksum says. Fetch it again.",
};

function explained(error: unknown, shownName: string): unknown {
  if (error instanceof ImportRefused || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const explanation = READING_ERRORS[code] ?? `cannot be read: ${error.message}`;
  return new ImportRefused(`${shownName} ${explanation}`, error);
}
