import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToOwner, OWN_FILE_MODE } from "./ownFiles.ts";

/**
 * Writes a file atomically: readers see the old text or the new one, even after a power cut.
 * @param mode the permissions, before the umask
 */
export function writeInPlace(directory: string, name: string, text: string, mode = OWN_FILE_MODE): void {
  const beingWritten = join(directory, `${name}.new`);
  // A file left by a killed process would keep its mode.
  rmSync(beingWritten, { force: true });
  writeFileSync(beingWritten, text, { flag: "wx", mode, flush: true });
  giveToOwner(beingWritten);
  renameSync(beingWritten, join(directory, name));
  syncToDisk(directory);
}

/** Syncs the content of a file, or the entries of a folder, to disk. */
export function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
