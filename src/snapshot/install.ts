import { renameSync } from "node:fs";
import { join } from "node:path";
import { DamagedSnapshot } from "./damaged.ts";
import { clearLitter, nextNumber, readPointer, syncToDisk, writePointer } from "./directory.ts";
import type { Pointer, SnapshotInfo } from "./info.ts";
import { moveNames } from "./names/namesFile.ts";
import { openSnapshot } from "./openSnapshot.ts";
import { noteVerified } from "./verified.ts";

/** What is said of a snapshot before it has its place in a folder. */
export type UnplacedSnapshot = Omit<SnapshotInfo, "number" | "file">;

/**
 * Puts a finished snapshot in place, whose content the caller has hashed: checks it as every opening does, renames it into the folder and makes it the
 * current one; what was current becomes the previous one. Only under the lock.
 * @param path the file, on the same file system as `directory` and closed
 * @throws {DamagedSnapshot} when a check fails; then nothing has changed
 */
export function installSnapshot(
  directory: string,
  path: string,
  unplaced: UnplacedSnapshot,
  pointer: Pointer | undefined,
): SnapshotInfo {
  syncToDisk(path);
  const number = nextNumber(directory, pointer);
  const snapshot: SnapshotInfo = { number, file: `snapshot-${number}.sqlite`, ...unplaced };
  openSnapshot(path, snapshot).close();
  moveNames(path, join(directory, snapshot.file));
  renameSync(path, join(directory, snapshot.file));
  syncToDisk(directory);
  const previous = usable(directory, pointer?.current) ?? usable(directory, pointer?.previous);
  const next: Pointer = previous === undefined ? { current: snapshot } : { current: snapshot, previous };
  noteVerified(directory, snapshot);
  writePointer(directory, next);
  clearLitter(directory, next);
  return snapshot;
}

/** The snapshot, unless it is plainly damaged: then there is no going back to it. */
export function usable(directory: string, info: SnapshotInfo | undefined): SnapshotInfo | undefined {
  if (info === undefined) return undefined;
  try {
    openSnapshot(join(directory, info.file), info).close();
    return info;
  } catch (error) {
    if (error instanceof DamagedSnapshot) return undefined;
    throw error;
  }
}

/** The pointer, or that it is damaged, for work that replaces what is there. */
export function readPointerIfWhole(directory: string): Pointer | "damaged" | undefined {
  try {
    return readPointer(directory);
  } catch (error) {
    if (error instanceof DamagedSnapshot) return "damaged";
    throw error;
  }
}
