import { join } from "node:path";
import { type Lock, takeFileLock } from "../lib/fileLock.ts";
import { makeOwnFolder } from "../lib/ownFiles.ts";
import { RegistryNotWritable, RegistryRefusal } from "./refusal.ts";

const LOCK = "lock.sqlite";
/** Held by whoever builds an index of names of a registry that is in place. */
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
 * The right to change the registry of `directory`, which one process at a time has. It is a lock of the operating
 * system, taken through SQLite: when the process dies, however it dies, the lock is gone.
 * @throws {RegistryBusy} at once when another one has it
 * @throws {RegistryNotWritable} when the folder cannot be made or written
 */
export function takeLock(directory: string): Lock {
  return take(directory, LOCK);
}

/**
 * The right to build indexes of names in `directory`, so that of several processes one takes the processor and the memory for it.
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
