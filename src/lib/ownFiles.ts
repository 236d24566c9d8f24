/**
 * Files and folders for their owner alone. What they hold (people's addresses, hashes of keys) is nobody else's business,
 * whatever the umask. A folder that is there keeps its mode: somebody may have chosen it.
 */
import { closeSync, mkdirSync, openSync } from "node:fs";

export const OWN_FILE_MODE = 0o600;
const OWN_FOLDER_MODE = 0o700;

/** Makes a folder, and those above it that are not there. */
export function makeOwnFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWN_FOLDER_MODE });
}

/** Makes an empty file where there is none: SQLite opens it, and gives its own files beside it the same mode. */
export function makeOwnFile(path: string): void {
  closeSync(openSync(path, "a", OWN_FILE_MODE));
}
