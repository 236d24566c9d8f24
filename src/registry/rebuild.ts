import { changeRegistry, inBuildingFolder } from "./changing.ts";
import { clearLitter, readPointer } from "./directory.ts";
import { layersOf, type SnapshotInfo } from "./info.ts";
import { addToBase, forgetPrevious } from "./layers/addFacts.ts";
import { openSnapshot } from "./openSnapshot.ts";
import type { ImportProgress } from "./types.ts";
import { verifyOnce } from "./verified.ts";

export interface RebuildOptions {
  /** KVK numbers that no file may hold afterwards. */
  readonly omit: ReadonlySet<string>;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface Rebuilt {
  readonly snapshot: SnapshotInfo;
  /** Companies that were removed from the current snapshot. */
  readonly removed: number;
  /** False when the snapshot was one file already, and no company had to be removed. */
  readonly isNew: boolean;
}

/**
 * Writes base and segments of the current snapshot into one base without some companies, and deletes the previous snapshot if it
 * holds one of them. Memory stays flat. A process that is killed meanwhile leaves both as they were.
 * @returns undefined when there is no registry
 * @throws {RegistryBusy} while an import is working in the same folder
 * @throws {RegistryNotWritable} when the folder cannot be written or the disk is full
 * @throws {DamagedSnapshot}
 */
export async function rebuild(
  directory: string,
  { omit, onProgress }: RebuildOptions,
): Promise<Rebuilt | undefined> {
  // Before the lock, which would make the folder.
  if (readPointer(directory) === undefined) return undefined;
  return changeRegistry(directory, async () => {
    const pointer = readPointer(directory);
    if (pointer === undefined) return undefined;
    const { current } = pointer;
    clearLitter(directory, pointer);
    await verifyOnce(directory, current);
    const opened = openSnapshot(directory, current);
    try {
      if (layersOf(current).length === 1 && !opened.holdsAny(omit)) {
        forgetPrevious({ directory, pointer, omit });
        return { snapshot: current, removed: 0, isNew: false };
      }
      const added = await inBuildingFolder(directory, (folder) =>
        addToBase({ directory, folder: folder(), pointer, omit, onProgress }, opened, undefined),
      );
      if (added === undefined) throw new RangeError("what is rebuilt needs no facts");
      const removed = current.companies - added.snapshot.companies;
      return { snapshot: added.snapshot, removed, isNew: true };
    } finally {
      opened.close();
    }
  });
}
