/** Saves the results of a list to a file. A later run resumes an interrupted one. */
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Jobs } from "../../../client/src/jobs/index.ts";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { CommandFailure } from "../command.ts";
import { failureOf } from "../failures.ts";
import { unwritable } from "../output.ts";

const PARTIAL = ".partial";
/** An etag that can be part of a file name. */
const TAG = /^"([\w.-]{1,150})"$/;

/** The first bytes of the results that `etag` identifies; without an etag they cannot be resumed. */
interface Part {
  readonly path: string;
  readonly etag: string | undefined;
  /** In bytes. */
  size: number;
  readonly file?: FileHandle;
}

/**
 * Writes results to a file, which gets its name when it is complete, readable only by its owner. Until then its name
 * ends in `.partial` and contains the etag of the results, so that the same call can resume it.
 * @param onBytes receives the number of bytes so far
 * @returns the size in bytes
 * @throws {CommandFailure} (the promise) if they cannot be fetched or written
 */
export async function saveResults(
  jobs: Jobs,
  { id, format, out }: { readonly id: string; readonly format: "jsonl" | "csv"; readonly out: string },
  onBytes: (bytes: number) => void,
): Promise<number> {
  let part: Part | undefined;
  try {
    part = await partOf(out, `${id}-${format}-`);
    const from = part?.etag === undefined ? undefined : { at: part.size, etag: part.etag };
    for await (const { bytes, at, etag } of jobs.download(id, { format, from })) {
      const opened = await openPart(out, part, at, etag);
      part = opened;
      await append(opened, bytes);
      onBytes(opened.size);
    }
    // Without any bytes the part is complete, or there are no results.
    const { file, path, size } = await openPart(out, part, part?.size ?? 0, part?.etag);
    await file.sync();
    await file.close();
    await rename(path, out);
    return size;
  } catch (error) {
    await part?.file?.close();
    if (part !== undefined && part.etag === undefined) await rm(part.path, { force: true });
    const failure = failureOf(error);
    if (part?.etag === undefined || failure === undefined) throw unwritable(out, error);
    throw new CommandFailure(`${failure.message} The partial file is kept: run the same command to resume.`);
  }
}

/** Returns the largest part of these results that earlier runs left. */
async function partOf(out: string, tagStart: string): Promise<Part | undefined> {
  const start = `${basename(out)}.`;
  const parts: Part[] = [];
  for (const name of await readdir(dirname(out)).catch(() => [])) {
    const tag = name.slice(start.length, -PARTIAL.length);
    const etag = `"${tag}"`;
    if (name !== `${start}${tag}${PARTIAL}` || !tag.startsWith(tagStart) || !TAG.test(etag)) continue;
    const path = join(dirname(out), name);
    parts.push({ path, etag, size: (await stat(path)).size });
  }
  return parts.sort((one, other) => other.size - one.size)[0];
}

/** Opens the part if the bytes at `at` continue it, otherwise replaces it by an empty one. */
async function openPart(
  out: string,
  part: Part | undefined,
  at: number,
  etag: string | undefined,
): Promise<Part & { readonly file: FileHandle }> {
  if (part !== undefined) {
    if (at === part.size && etag === part.etag) {
      return Object.assign(part, { file: part.file ?? (await open(part.path, "r+")) });
    }
    await part.file?.close();
    await rm(part.path, { force: true });
  }
  const [, tag] = TAG.exec(etag ?? "") ?? [];
  const path = `${out}${tag === undefined ? "" : `.${tag}`}${PARTIAL}`;
  await rm(path, { force: true });
  return { path, etag: tag && etag, size: 0, file: await open(path, "wx", OWN_FILE_MODE) };
}

/** Writes at its own position: a parallel run that resumes the same file writes the same bytes there. */
async function append(part: Part & { readonly file: FileHandle }, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await part.file.write(bytes, written, bytes.length - written, part.size);
    written += bytesWritten;
    part.size += bytesWritten;
  }
}
