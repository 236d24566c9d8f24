import { existsSync, renameSync, statSync } from "node:fs";
import { syncToDisk } from "../../lib/inPlace.ts";
import { readIndexFile, verifyIndexFile } from "../../search/index/indexFile.ts";
import { UnusableIndex, VERSION } from "../../search/index/sections.ts";
import { forgetNote, identityOf, isNoted, note } from "../verifiedNote.ts";

/** Reading an index of this size takes less time than starting a thread. */
export const INLINE_READ_BYTES = 8 << 20;

/** The file that an index was built from, and its SHA-256. */
interface NamesPlace {
  readonly path: string;
  readonly info: { readonly sha256: string };
}

/**
 * The path of a layer's name index, such as `snapshot-7.names-8`. It has the version of the index, so that the indexes
 * of two releases of this program can be next to each other. Release 1.0.0 reads `snapshot-7.names`.
 */
export function namesPathOf(snapshotPath: string): string {
  return snapshotPath.replace(/\.sqlite$/, `.names-${VERSION}`);
}

/**
 * Reads the stored index of a layer. Verifies its content, unless it was verified before.
 * @throws {UnusableIndex} when it is missing, damaged, of another layer or of another version
 */
export function readNames({ path, info }: NamesPlace): SharedArrayBuffer {
  const namesPath = namesPathOf(path);
  const identity = identityOf(namesPath, info.sha256);
  const wasVerified = isNoted(namesPath, identity);
  const buffer = readIndexFile(namesPath, info.sha256, { verifies: !wasVerified });
  if (!wasVerified) note(namesPath, identity);
  return buffer;
}

/** The size of a stored index; 0 when there is none. */
export function bytesOfNames({ path }: NamesPlace): number {
  return statSync(namesPathOf(path), { throwIfNoEntry: false })?.size ?? 0;
}

/** Verifies the content of the index of a finished layer. @returns the fault, or undefined */
export async function verifyNames(
  snapshotPath: string,
  sha256: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const path = namesPathOf(snapshotPath);
  const identity = identityOf(path, sha256);
  try {
    await verifyIndexFile(path, sha256, signal);
    note(path, identity);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableIndex)) throw error;
    forgetNote(path);
    return error.message;
  }
}

/** Moves the verified index of a layer, if there is one, to its place. */
export function installNames(from: string, to: string, sha256: string): void {
  const path = namesPathOf(from);
  if (!existsSync(path)) return;
  syncToDisk(path);
  const placed = namesPathOf(to);
  renameSync(path, placed);
  note(placed, identityOf(placed, sha256));
}
