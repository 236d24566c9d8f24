import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Lock, takeFileLock } from "../lib/fileLock.ts";
import { makeOwnFolder } from "../lib/ownFiles.ts";
import { BUILDING } from "./directory.ts";
import { asRefusal, RegistryBusy, RegistryNotWritable } from "./errors.ts";

const LOCK = "lock.sqlite";
/** Locked while a name index of an installed layer is built. */
const NAMES_LOCK = "names-lock.sqlite";

/**
 * Acquires the exclusive lock for changes to the registry of `directory`. It is a lock of the operating system,
 * acquired through SQLite, so it ends with the process.
 * @throws {RegistryBusy} at once if another process has it
 * @throws {RegistryNotWritable} when the folder cannot be made or written
 */
export function takeLock(directory: string): Lock {
  return take(directory, LOCK);
}

/**
 * Acquires the lock for building name indexes in `directory`, so that only one process spends CPU time and memory on
 * it.
 * @throws {RegistryBusy} at once if another process has it
 * @throws {RegistryNotWritable} when the folder cannot be written
 */
export function takeNamesLock(directory: string): Lock {
  return take(directory, NAMES_LOCK);
}

function take(directory: string, name: string): Lock {
  let lock: Lock | undefined;
  try {
    makeOwnFolder(directory);
    lock = takeFileLock(join(directory, name));
  } catch (error) {
    throw new RegistryNotWritable(directory, error);
  }
  if (lock === undefined) throw new RegistryBusy(directory);
  return lock;
}

/**
 * Runs work that changes the registry of a folder, under its lock.
 * @throws {RegistryBusy} while other work does
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
 * Runs work with an empty folder inside `directory`, from which files can be renamed into place. Deletes it afterwards.
 * Only under the lock.
 */
export async function inBuildingFolder<T>(
  directory: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(directory, BUILDING);
  rmSync(folder, { recursive: true, force: true });
  makeOwnFolder(folder);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
