import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { ImportRefused } from "../outcome.ts";
import { HEAD_BYTES, recognise } from "./content.ts";
import { capped, EXPANSION_LIMITS, type ExpansionLimits } from "./limits.ts";
import { counting, peek, through } from "./streams.ts";
import { openOnlyEntry } from "./zip.ts";

/** The name that stands for standard input. */
export const STDIN = "-";

const CHUNK_BYTES = 256 * 1024;

export interface Input {
  /** What to call it in a message. */
  readonly shownName: string;
  /** The text, unpacked. Whatever goes wrong while reading is thrown as {@link ImportRefused}. */
  readonly chunks: AsyncIterable<Buffer>;
  /** How many bytes there are to read (packed), where that is known before the end. */
  readonly totalBytes: number | undefined;
  /** How many of them were read so far. */
  bytesRead(): number;
  /** When the file was last changed; undefined for a pipe. */
  readonly modifiedAt: Date | undefined;
  close(): Promise<void>;
}

/**
 * Opens a plain file, a gzip or zip file (told by content, not by name) or `-` for standard input.
 * @throws {ImportRefused} when it cannot be read or holds nothing that an import could read
 */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Buffer>,
  limits: ExpansionLimits = EXPANSION_LIMITS,
): Promise<Input> {
  const shownName = path === STDIN ? "standard input" : path;
  const file = path === STDIN ? undefined : await describeFile(path);
  const source = path === STDIN ? stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let bytesRead = 0;
  const onBytes = (bytes: number) => {
    bytesRead += bytes;
  };
  const closers: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers) await closeOne();
  };
  try {
    const packed = await peek(counting(source, onBytes), HEAD_BYTES);
    closers.push(packed.stop);
    let { whole } = packed;
    let totalBytes = file?.size;
    const content = recognise(packed.head);
    if (content.kind === "gzip") {
      const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
      whole = capped(through(whole, gunzip), () => bytesRead, limits, shownName);
    } else if (content.kind === "zip") {
      if (file === undefined) throw new ImportRefused(zipNeedsFile(shownName));
      await packed.stop();
      bytesRead = 0;
      const entry = await openOnlyEntry(path, shownName, onBytes);
      closers.push(entry.close);
      totalBytes = entry.compressedBytes;
      whole = capped(entry.chunks, () => bytesRead, limits, shownName);
    }
    const text = await peek(whole, HEAD_BYTES);
    closers.unshift(text.stop);
    refuseUnlessText(text.head, shownName);
    return {
      shownName,
      chunks: explaining(text.whole, shownName),
      totalBytes,
      bytesRead: () => bytesRead,
      modifiedAt: file?.modifiedAt,
      close,
    };
  } catch (error) {
    await close();
    throw explained(error, shownName);
  }
}

/** Size and time of a regular file; undefined for a pipe, which has neither. */
async function describeFile(path: string): Promise<{ size: number; modifiedAt: Date } | undefined> {
  const stats = await stat(path).catch((error: unknown) => {
    throw explained(error, path);
  });
  if (stats.isDirectory()) throw new ImportRefused(`${path} is a folder. Name the files in it.`);
  return stats.isFile() ? { size: stats.size, modifiedAt: stats.mtime } : undefined;
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

async function* explaining(chunks: AsyncIterable<Buffer>, shownName: string): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    throw explained(error, shownName);
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
