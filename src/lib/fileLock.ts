import { DatabaseSync } from "node:sqlite";
import { makeOwnFile } from "./ownFiles.ts";

const SQLITE_BUSY = 5;

/** A lock that lasts until it is released or its process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock of the operating system on a file, which is created if absent. It goes through SQLite, as Node has no
 * other API for file locks: the lock is gone when the process dies for any reason. Returns undefined at once when
 * another process has it.
 * @throws {Error} when the file cannot be created or written
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
  const connection = db;
  return { release: () => connection.close() };
}
