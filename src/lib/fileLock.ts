import { DatabaseSync } from "node:sqlite";
import { makeOwnFile } from "./ownFiles.ts";

const SQLITE_BUSY = 5;

/** A lock that is held until it is released, or its process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock of the operating system on a file, which is made where there is none. It is taken through SQLite, as Node has no other binding to
 * one: when the process dies, however it dies, the lock is gone. Undefined, at once, when another one has it.
 * @throws {Error} when the file cannot be made or written
 */
export function takeFileLock(path: string): Lock | undefined {
  let db: DatabaseSync | undefined;
  try {
    makeOwnFile(path);
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  const held = db;
  return { release: () => held.close() };
}
