import { existsSync, renameSync } from "node:fs";
import { syncToDisk } from "../../lib/inPlace.ts";
import { verifyIndexFile } from "../../search/index/indexFile.ts";
import { UnusableIndex } from "../../search/index/sections.ts";
import { forgetNote, identityOf, note } from "../verifiedNote.ts";
import { namesPathOf } from "./storedNames.ts";

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
