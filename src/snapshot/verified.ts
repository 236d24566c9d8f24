import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { OWN_FILE_MODE } from "../lib/ownFiles.ts";
import type { SnapshotInfo } from "./info.ts";
import { layoutOf, verifySnapshot } from "./openSnapshot.ts";

/**
 * Verifies a snapshot's content, unless that was done before and its file is still the same one: reading two gigabytes would be
 * most of a start. What a disk loses behind the back of the file system is found by {@link verifyAnew} only.
 * @throws {DamagedSnapshot}
 */
export async function verifyOnce(directory: string, info: SnapshotInfo): Promise<void> {
  const path = join(directory, info.file);
  const identity = identityOf(path, info);
  if (identity === undefined || identity !== readNote(path)) await verifyAnew(directory, info);
  else layoutOf(path, info);
}

/**
 * Verifies a snapshot's content by reading all of it.
 * @param onBytes told now and then how many were read
 * @throws {DamagedSnapshot} when it is not what was written; it is not taken for verified any more then
 */
export async function verifyAnew(
  directory: string,
  info: SnapshotInfo,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  const path = join(directory, info.file);
  // As it is before it is read: a file that is changed meanwhile is another one.
  const identity = identityOf(path, info);
  try {
    await verifySnapshot(path, info, onBytes);
  } catch (error) {
    rmSync(notePathOf(path), { force: true });
    throw error;
  }
  note(path, identity);
}

/** Notes that a snapshot which was just put in place is the file whose content was hashed. */
export function noteVerified(directory: string, info: SnapshotInfo): void {
  const path = join(directory, info.file);
  note(path, identityOf(path, info));
}

/** Where it is noted which file was verified. */
function notePathOf(snapshotPath: string): string {
  return snapshotPath.replace(/\.sqlite$/, ".verified");
}

/**
 * Which file is meant, with the content that it must have: size, inode and the times of its last changes, of content and of all
 * else. One that was written to, copied or restored since is another. Undefined when there is none.
 */
function identityOf(path: string, { sha256 }: SnapshotInfo): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [sha256, found.size, found.ino, found.mtimeNs, found.ctimeNs].join(" ");
}

function readNote(path: string): string | undefined {
  try {
    return readFileSync(notePathOf(path), "utf8");
  } catch {
    // There is none, or it cannot be read: then the content is.
    return undefined;
  }
}

/** Where that cannot be written, the content is read again the next time. */
function note(path: string, identity: string | undefined): void {
  if (identity === undefined) return;
  const beingWritten = `${notePathOf(path)}.${process.pid}-${threadId}.new`;
  try {
    writeFileSync(beingWritten, identity, { mode: OWN_FILE_MODE });
    renameSync(beingWritten, notePathOf(path));
  } catch {
    rmSync(beingWritten, { force: true });
  }
}
