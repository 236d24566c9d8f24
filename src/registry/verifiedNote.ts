import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { OWN_FILE_MODE } from "../lib/ownFiles.ts";

/**
 * Identifies a file with its expected content, by size, inode and time of the last write. A copied or restored file differs; another owner, or
 * a hard link of a backup, does not matter. Undefined when there is no file.
 * @param sha256 of the expected content
 */
export function identityOf(path: string, sha256: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [sha256, found.size, found.ino, found.mtimeNs].join(" ");
}

/** Whether a note says that the file of this identity was verified. */
export function isNoted(path: string, identity: string | undefined): boolean {
  if (identity === undefined) return false;
  try {
    return readFileSync(notePathOf(path), "utf8") === identity;
  } catch {
    return false;
  }
}

/** Notes that the content of a file was verified. If the note cannot be written, the content is verified again the next time. */
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

/** `snapshot-7.verified` for `snapshot-7.sqlite`, `snapshot-7.verified-names` for its index. */
function notePathOf(path: string): string {
  return path.replace(/\.sqlite$/, ".verified").replace(/\.names$/, ".verified-names");
}
