import { type FileHandle, open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { ImportRefused } from "../outcome.ts";
import { peek } from "../peek.ts";
import { HEAD_BYTES, recognise } from "./content.ts";
import { capped, EXPANSION_LIMITS, type ExpansionLimits } from "./limits.ts";
import { counting, through } from "./streams.ts";
import { openOnlyEntry } from "./zip.ts";

/** The name that stands for standard input. */
export const STDIN = "-";

const CHUNK_BYTES = 256 * 1024;

export interface Input {
  /** What to call it in a message. */
  readonly shownName: string;
  /** The text, unpacked. Whatever goes wrong while reading, also that the file is changed meanwhile, is thrown as {@link ImportRefused}. */
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
  const file = path === STDIN ? undefined : await openFile(path);
  const source = file === undefined ? stdin : chunksOf(file.handle);
  let bytesRead = 0;
  const onBytes = (bytes: number) => {
    bytesRead += bytes;
  };
  const closers: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers) await closeOne();
    await file?.handle.close();
  };
  try {
    const packed = await peek(counting(source, onBytes), HEAD_BYTES);
    closers.push(packed.stop);
    let { whole } = packed;
    let totalBytes = file?.state?.size;
    const content = recognise(packed.head);
    if (content.kind === "gzip") {
      const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
      whole = capped(through(whole, gunzip), () => bytesRead, limits, shownName);
    } else if (content.kind === "zip") {
      if (file?.state === undefined) throw new ImportRefused(zipNeedsFile(shownName));
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
      chunks: checked(text.whole, file, shownName),
      totalBytes,
      bytesRead: () => bytesRead,
      modifiedAt: file?.state?.modifiedAt,
      close,
    };
  } catch (error) {
    await close();
    throw explained(error, shownName);
  }
}

interface OpenFile {
  readonly handle: FileHandle;
  /** Undefined for a pipe, which has neither size nor time. */
  readonly state: FileState | undefined;
}

interface FileState {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly modifiedNs: bigint;
}

async function openFile(path: string): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    return { handle, state: await stateOf(handle, path) };
  } catch (error) {
    await handle?.close();
    throw explained(error, path);
  }
}

/** What a file holds from where it was read to last; who stops early leaves it open. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

async function stateOf(handle: FileHandle, path: string): Promise<FileState | undefined> {
  const stats = await handle.stat({ bigint: true });
  if (stats.isDirectory()) throw new ImportRefused(`${path} is a folder. Name the files in it.`);
  if (!stats.isFile()) return undefined;
  return { size: Number(stats.size), modifiedAt: stats.mtime, modifiedNs: stats.mtimeNs };
}

/** Passes `chunks` on, explains errors, and checks at the end that the file did not change: otherwise part of it may be missing. */
async function* checked(
  chunks: AsyncIterable<Buffer>,
  file: OpenFile | undefined,
  shownName: string,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    if (file?.state === undefined) return;
    const now = await stateOf(file.handle, shownName);
    if (now?.size === file.state.size && now.modifiedNs === file.state.modifiedNs) return;
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
