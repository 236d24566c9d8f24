import { rmSync } from "node:fs";
import { makeBuildingFolder } from "./directory.ts";
import { takeLock } from "./lock.ts";
import { asRefusal } from "./refusal.ts";

/**
 * Does work that changes the registry of a folder, under its lock. `work` may build in a folder of its own ({@link inBuildingFolder}).
 * @throws {RegistryBusy} while another one does
 * @throws {RegistryNotWritable} when the folder cannot be written or the disk is full
 */
export async function changeRegistry<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = takeLock(directory);
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error, directory);
  } finally {
    lock.release();
  }
}

/**
 * Does work that may need a folder to build in, empty and inside `directory`, which is gone when it is done. Only under the lock.
 * @param work is given what makes the folder when it is first asked for it, so that work that finds nothing to do writes nothing
 */
export async function inBuildingFolder<T>(
  directory: string,
  work: (folder: () => string) => Promise<T>,
): Promise<T> {
  let made: string | undefined;
  try {
    return await work(() => (made ??= makeBuildingFolder(directory)));
  } finally {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
  }
}
