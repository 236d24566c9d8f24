import { join } from "node:path";
import { type Lock, takeFileLock } from "../lib/fileLock.ts";
import { makeOwnFolder } from "../lib/ownFiles.ts";
import { RegistryNotWritable, RegistryRefusal } from "./refusal.ts";

const LOCK = "lock.sqlite";
/** Locked while a name index of an installed layer is built. */
const NAMES_LOCK = "names-lock.sqlite";

/** Another import, rollback, publication or fetch is running in the same folder. */
export class RegistryBusy extends RegistryRefusal {
  constructor(directory: string) {
    super(
      `Another import, rollback, publication or fetch is working in ${directory}: wait until it is done and try again.`,
    );
  }
}

/**
 * Acquires the exclusive lock for changes to the registry of `directory`. It is a lock of the operating system, acquired through SQLite, so it
 * ends with the process.
 * @throws {RegistryBusy} at once if another process has it
 * @throws {RegistryNotWritable} when the folder cannot be made or written
 */
export function takeLock(directory: string): Lock {
  return take(directory, LOCK);
}

/**
 * Acquires the lock for building name indexes in `directory`, so that only one process spends CPU time and memory on it.
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
