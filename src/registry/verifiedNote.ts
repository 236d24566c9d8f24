import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { giveToOwner, OWN_FILE_MODE } from "../lib/ownFiles.ts";

/**
 * Identifies a file and its expected content by size, inode and modification time. A copied or restored file differs; a
 * new owner or hard link does not matter. Undefined when there is no file.
 * @param sha256 the hash of the expected content
 */
export function identityOf(path: string, sha256: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [sha256, found.size, found.ino, found.mtimeNs].join(" ");
}

/** Whether the file with this identity was verified. */
export function isNoted(path: string, identity: string | undefined): boolean {
  if (identity === undefined) return false;
  try {
    return readFileSync(notePathOf(path), "utf8") === identity;
  } catch {
    return false;
  }
}

/** Notes that a file was verified. If the note cannot be written, the file is verified again next time. */
export function note(path: string, identity: string | undefined): void {
  if (identity === undefined) return;
  const beingWritten = `${notePathOf(path)}.${process.pid}-${threadId}.new`;
  try {
    writeFileSync(beingWritten, identity, { mode: OWN_FILE_MODE });
    giveToOwner(beingWritten);
    renameSync(beingWritten, notePathOf(path));
  } catch {
    rmSync(beingWritten, { force: true });
  }
}

/**
 * Deletes the note of a damaged file. In a folder that cannot be written it stays; the damage is what the caller
 * reports.
 */
export function forgetNote(path: string): void {
  try {
    rmSync(notePathOf(path), { force: true });
  } catch {
    // Only reading the whole file detects the damage then.
  }
}

/** `snapshot-7.verified` for `snapshot-7.sqlite`, `snapshot-7.verified-names-8` for `snapshot-7.names-8`. */
function notePathOf(path: string): string {
  return path.replace(/\.sqlite$/, ".verified").replace(/\.(names-[0-9]+)$/, ".verified-$1");
}
