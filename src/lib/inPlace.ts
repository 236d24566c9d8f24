import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToOwner, OWN_FILE_MODE } from "./ownFiles.ts";

/**
 * Puts a file in place at once: whoever reads sees the old text or the new one, also after a power cut.
 * @param mode who may read it, less what the umask takes
 */
export function writeInPlace(directory: string, name: string, text: string, mode = OWN_FILE_MODE): void {
  const beingWritten = join(directory, `${name}.new`);
  // One that a kill left would keep its mode.
  rmSync(beingWritten, { force: true });
  writeFileSync(beingWritten, text, { flag: "wx", mode, flush: true });
  giveToOwner(beingWritten);
  renameSync(beingWritten, join(directory, name));
  syncToDisk(directory);
}

/** Makes a file's content, or a folder's list of files, survive a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
