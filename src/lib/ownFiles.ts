/**
 * Files and folders for their owner only, whatever the umask: they contain addresses of people and hashes of keys. The
 * mode of an existing folder is kept: it may be intended.
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

/** Creates a folder and its missing parents. */
export function makeOwnFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: OWN_FOLDER_MODE });
  if (first !== undefined) giveToOwner(first);
}

/**
 * Creates an empty file if absent: SQLite opens it, and gives its own files next to it the same mode. An existing file
 * is not opened: a process that closes a file loses all its locks on it (POSIX, `fcntl`), including those of SQLite.
 */
export function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", OWN_FILE_MODE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  giveToOwner(path);
}

/** Copies a file to one for its owner only. */
export function copyToOwnFile(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, OWN_FILE_MODE);
  giveToOwner(to);
}

/**
 * Gives files that root created to the owner of the folder around them, with all their content: a service that does not
 * run as root could not use them, and rescue commands often run as root. Files of other users are not changed: a hard
 * link may belong elsewhere.
 * @param path a file or a folder; does nothing unless this process is root and the folder around it belongs to another
 * user
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
