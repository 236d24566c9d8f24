import { buildLayer } from "./build.ts";
import { deleteLeftovers, readPointer } from "./directory.ts";
import type { SnapshotInfo } from "./info.ts";
import { forgetPrevious, installLayer } from "./install.ts";
import { changeRegistry, inBuildingFolder } from "./lock.ts";
import { openSnapshot } from "./openSnapshot.ts";
import type { ImportProgress } from "./types.ts";
import { verifyOnce } from "./verified.ts";

export interface RebuildOptions {
  /** KVK numbers that no file may contain afterwards. */
  readonly omit: ReadonlySet<string>;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface Rebuilt {
  readonly snapshot: SnapshotInfo;
  /** Companies that were removed from the current snapshot. */
  readonly removed: number;
  /** False when the snapshot already was a single file without companies to remove. */
  readonly isNew: boolean;
}

/**
 * Writes base and delta of the current snapshot into one base without some companies, and deletes the previous snapshot
 * if it contains one of them. Memory use is constant. A kill at any moment leaves both intact.
 * @returns undefined when there is no registry
 * @throws {RegistryBusy} while an import runs in the same folder
 * @throws {RegistryNotWritable} when the folder cannot be written or the disk is full
 * @throws {DamagedSnapshot}
 */
export async function rebuild(
  directory: string,
  { omit, onProgress }: RebuildOptions,
): Promise<Rebuilt | undefined> {
  // Before the lock, which would create the folder.
  if (readPointer(directory) === undefined) return undefined;
  return changeRegistry(directory, async () => {
    const pointer = readPointer(directory);
    if (pointer === undefined) return undefined;
    const { current } = pointer;
    deleteLeftovers(directory, pointer);
    await verifyOnce(directory, current);
    const opened = openSnapshot(directory, current);
    try {
      if (opened.delta === undefined && !opened.holdsAny(omit)) {
        forgetPrevious(directory, pointer, omit);
        return { snapshot: current, removed: 0, isNew: false };
      }
      const input = { facts: undefined, current: opened, omit, maxDeltaShare: 0, onProgress };
      const snapshot = await inBuildingFolder(directory, async (folder) => {
        const built = await buildLayer({ folder, ...input });
        if (built?.kind !== "base") throw new RangeError("a rebuild without facts writes a base");
        return installLayer(directory, built, pointer, omit);
      });
      return { snapshot, removed: current.companies - snapshot.companies, isNew: true };
    } finally {
      opened.close();
    }
  });
}
