/**
 * Files and folders for their owner alone. What they hold (people's addresses, hashes of keys) is nobody else's business,
 * whatever the umask. A folder that is there keeps its mode: somebody may have chosen it.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

export const OWN_FILE_MODE = 0o600;
const OWN_FOLDER_MODE = 0o700;

/** Makes a folder, and those above it that are not there. */
export function makeOwnFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: OWN_FOLDER_MODE });
  if (first !== undefined) giveToOwner(first);
}

/**
 * Makes an empty file where there is none: SQLite opens it, and gives its own files beside it the same mode. One that is there is not opened: a process that
 * closes a file loses all its locks on it (POSIX, `fcntl`), also those that SQLite holds for it.
 */
export function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", OWN_FILE_MODE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  giveToOwner(path);
}

/** Copies a file, whatever its mode, to one of its owner alone. */
export function copyToOwnFile(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, OWN_FILE_MODE);
  giveToOwner(to);
}

/**
 * What root has made in somebody's folder is that somebody's, with all that is in it: a service that is not root could not use it, and a command
 * of root's is often what saves one. What is another user's already stays so: a second name of a file may be of another place.
 * @param path a file or a folder; does nothing unless this process is root and the folder around it is another user's
 */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) giveTo(path, uid, gid);
}

function giveTo(path: string, uid: number, gid: number): void {
  const found = lstatSync(path);
  if (found.uid === 0) lchownSync(path, uid, gid);
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), uid, gid);
}
