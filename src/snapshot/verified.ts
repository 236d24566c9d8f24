import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { OWN_FILE_MODE } from "../lib/ownFiles.ts";
import { type LayerInfo, layersOf, type SnapshotInfo } from "./info.ts";
import { layoutOf, verifySnapshot } from "./openSnapshot.ts";

/**
 * Verifies the content of a snapshot's files, but those of which that was done before and which are still the same: reading two gigabytes
 * would be most of a start. What a disk loses behind the back of the file system is found by {@link verifyAnew} only.
 * @throws {DamagedSnapshot} of the first that is damaged
 */
export async function verifyOnce(directory: string, info: SnapshotInfo): Promise<void> {
  for (const layer of layersOf(info)) {
    const path = join(directory, layer.file);
    const identity = identityOf(path, layer);
    if (identity === undefined || identity !== readNote(path)) await verifyLayer(path, layer);
    else layoutOf(path, layer);
  }
}

/**
 * Verifies the content of a snapshot's files by reading all of it.
 * @param onBytes told now and then how many were read
 * @throws {DamagedSnapshot} of the first that is not what was written; it is not taken for verified any more then
 */
export async function verifyAnew(
  directory: string,
  info: SnapshotInfo,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  let before = 0;
  for (const layer of layersOf(info)) {
    await verifyLayer(join(directory, layer.file), layer, (bytes) => onBytes(before + bytes));
    before += layer.bytes;
  }
}

async function verifyLayer(path: string, info: LayerInfo, onBytes?: (bytes: number) => void): Promise<void> {
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

/** Notes that a file which was just put in place is the one whose content was hashed. */
export function noteVerified(directory: string, info: LayerInfo): void {
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
function identityOf(path: string, { sha256 }: LayerInfo): string | undefined {
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
