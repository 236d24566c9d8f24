import { join } from "node:path";
import { type Lock, takeFileLock } from "../lib/fileLock.ts";
import { makeOwnFolder } from "../lib/ownFiles.ts";
import { RegistryNotWritable, RegistryRefusal } from "./refusal.ts";

const LOCK = "lock.sqlite";
/** Held while an index of names of an installed layer is built. */
const NAMES_LOCK = "names-lock.sqlite";

/** Another import, rollback, publication or fetch is at work in the same folder. */
export class RegistryBusy extends RegistryRefusal {
  constructor(directory: string) {
    super(
      `Another import, rollback, publication or fetch is working in ${directory}: wait until it is done and try again.`,
    );
  }
}

/**
 * Takes the right to change the registry of `directory`, which one process at a time has. It is a lock of the operating
 * system, taken through SQLite, so it ends with the process.
 * @throws {RegistryBusy} at once when another one has it
 * @throws {RegistryNotWritable} when the folder cannot be made or written
 */
export function takeLock(directory: string): Lock {
  return take(directory, LOCK);
}

/**
 * Takes the right to build indexes of names in `directory`, so that only one process spends processor and memory on it.
 * @throws {RegistryBusy} at once when another one has it
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
