import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../lib/ownFiles.ts";
import { BUILDING } from "./directory.ts";
import { takeLock } from "./lock.ts";
import { asRefusal } from "./refusal.ts";

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
 * Runs work with an empty folder inside `directory`, from which files can be renamed into place. Deletes it afterwards. Only under the lock.
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
