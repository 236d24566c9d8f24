import { basename } from "node:path";
import { readPointer, writePointer } from "./directory.ts";
import { DamagedSnapshot, RegistryRefusal } from "./errors.ts";
import { pointerTo, type SnapshotInfo } from "./info.ts";
import { changeRegistry } from "./lock.ts";
import { verifyOnce } from "./verified.ts";

/** There is no usable previous snapshot. */
export class NoPreviousSnapshot extends RegistryRefusal {
  constructor(directory: string, reason = "there is none") {
    super(
      `${directory} holds no earlier snapshot to go back to: ${reason}. Nothing has changed; import the data ` +
        `that you want with --replace.`,
    );
  }
}

/**
 * Swaps the current and the previous snapshot, so that doing it twice changes nothing.
 * @returns the one that is current now
 * @throws {NoPreviousSnapshot} also when the previous one is damaged
 * @throws {DamagedSnapshot} when the pointer is damaged
 * @throws {RegistryNotReadable} when it cannot be read
 * @throws {RegistryBusy} while an import runs
 * @throws {RegistryNotWritable} when the folder cannot be written or the disk is full
 */
export async function rollback(directory: string): Promise<SnapshotInfo> {
  // Before the lock, which would create the folder.
  if (readPointer(directory) === undefined) throw new NoPreviousSnapshot(directory);
  return changeRegistry(directory, async () => {
    const pointer = readPointer(directory);
    if (pointer?.previous === undefined) throw new NoPreviousSnapshot(directory);
    await verify(directory, pointer.previous);
    writePointer(directory, pointerTo(pointer.previous, pointer.current));
    return pointer.previous;
  });
}

async function verify(directory: string, info: SnapshotInfo): Promise<void> {
  try {
    await verifyOnce(directory, info);
  } catch (error) {
    if (error instanceof DamagedSnapshot)
      throw new NoPreviousSnapshot(directory, `${basename(error.path)}: ${error.reason}`);
    throw error;
  }
}
