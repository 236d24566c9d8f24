import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { OWN_FILE_MODE } from "../lib/ownFiles.ts";

/**
 * Which file is meant, with the content that it must have: size, inode and the time when it was written to last. One that was written to, copied
 * or restored since is another; one that was given another owner, or a second name by a backup, is the same. Undefined when there is none.
 * @param sha256 says which content
 */
export function identityOf(path: string, sha256: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [sha256, found.size, found.ino, found.mtimeNs].join(" ");
}

/** Whether it is noted that the file of this identity was verified. A note that cannot be read is none. */
export function isNoted(path: string, identity: string | undefined): boolean {
  if (identity === undefined) return false;
  try {
    return readFileSync(notePathOf(path), "utf8") === identity;
  } catch {
    return false;
  }
}

/** Notes that the content of a file was verified. Where that cannot be written, the content is read again the next time. */
export function note(path: string, identity: string | undefined): void {
  if (identity === undefined) return;
  const beingWritten = `${notePathOf(path)}.${process.pid}-${threadId}.new`;
  try {
    writeFileSync(beingWritten, identity, { mode: OWN_FILE_MODE });
    renameSync(beingWritten, notePathOf(path));
  } catch {
    rmSync(beingWritten, { force: true });
  }
}

export function forgetNote(path: string): void {
  rmSync(notePathOf(path), { force: true });
}

/** Beside `snapshot-7.sqlite` it is `snapshot-7.verified`, and of its index of names `snapshot-7.verified-names`. */
function notePathOf(path: string): string {
  return path.replace(/\.sqlite$/, ".verified").replace(/\.names$/, ".verified-names");
}
