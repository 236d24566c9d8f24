import { open, rm, stat } from "node:fs/promises";
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { sha256OfFile } from "../openSnapshot.ts";
import { FetchFailure } from "./failure.ts";
import type { Manifest } from "./manifest.ts";
import type { PublishedSource } from "./source.ts";

export interface Download {
  readonly source: PublishedSource;
  readonly file: Manifest["file"];
  /** Where to; what is there already is the beginning of it. */
  readonly path: string;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Told how many bytes are there. */
  readonly onBytes: (bytes: number) => void;
}

/** How many bytes of a download are there. */
export async function bytesThere(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/**
 * Downloads a published file, or the rest of it, and proves its checksum. Whatever cuts it short, a kill included,
 * leaves a beginning that the next call goes on with; what turns out to be something else is deleted.
 * @throws {FetchFailure}
 */
export async function download(wanted: Download): Promise<void> {
  const { file, path, signal } = wanted;
  if ((await bytesThere(path)) > file.bytes) await rm(path);
  const there = await bytesThere(path);
  if (there < file.bytes) await receive(wanted, there);
  const length = await bytesThere(path);
  if (length <= there && length < file.bytes) {
    throw new FetchFailure(
      "content",
      `${file.name} has ${length} bytes where the manifest says ${file.bytes}: publish anew.`,
    );
  }
  if (length < file.bytes) {
    throw new FetchFailure(
      "cut",
      `${file.name} ended after ${length} of ${file.bytes} bytes: the rest is asked for the next time.`,
    );
  }
  if (length > file.bytes || (await sha256OfFile(path, signal)) !== file.sha256) {
    await rm(path);
    throw new FetchFailure(
      "content",
      `${file.name} is not what the manifest says (its size or SHA-256 differs): publish anew, and check the server and the caches between.`,
    );
  }
}

async function receive(
  { source, file, path, withinMs, signal, onBytes }: Download,
  there: number,
): Promise<void> {
  const tooLate = AbortSignal.timeout(withinMs);
  const part = await open(path, "a", OWN_FILE_MODE);
  try {
    const deadline = AbortSignal.any([signal, tooLate]);
    const { start, body } = await source.file(file.name, there, deadline);
    if (start < there) await part.truncate(start);
    let length = start;
    // Each piece is written before the next is asked for, so that all that came is there when the rest does not.
    for await (const piece of body) {
      await part.appendFile(piece);
      length += piece.length;
      onBytes(length);
      // One byte too many shows that it is another file; the rest need not be read for that.
      if (length > file.bytes) return;
    }
  } catch (error) {
    if (!signal.aborted && tooLate.aborted) {
      throw new FetchFailure("slow", `${file.name} comes too slowly: the rest is asked for the next time.`);
    }
    throw error;
  } finally {
    await part.close();
  }
}
