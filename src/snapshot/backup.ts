import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncToDisk } from "../lib/inPlace.ts";
import { giveToOwner, makeOwnFolder } from "../lib/ownFiles.ts";
import { makeBuildingFolder, namedLayers, readPointer, writePointer } from "./directory.ts";
import type { Pointer } from "./info.ts";
import { takeLock } from "./lock.ts";
import { namesPathOf } from "./names/storedNames.ts";
import { RegistryRefusal } from "./refusal.ts";
import { verifyOnce } from "./verified.ts";

/** A registry stands where one is to be put. */
export class RegistryThere extends RegistryRefusal {
  constructor(directory: string) {
    super(`${directory} holds a registry already: move it away, or leave out --registry`);
  }
}

/**
 * Puts the snapshots of a registry with their pointer into a folder that is made for them, by hard links where the two are on one file system: their files are
 * never changed once they are in place. Nothing is made where there is no registry.
 * @throws {RegistryBusy} while an import or another change is at work
 */
export function copyRegistry(directory: string, target: string): void {
  const lock = readPointer(directory) && takeLock(directory);
  if (lock === undefined) return;
  try {
    const pointer = readPointer(directory);
    if (pointer === undefined) return;
    copyLayers(directory, pointer, target);
    writePointer(target, pointer);
  } finally {
    lock.release();
  }
}

/**
 * Puts such a copy where there is no registry, once all that is served of it was read and found whole.
 * @throws {RegistryThere} when there is one
 * @throws {RegistryRefusal} when the copy is damaged or cannot be brought in; there is no registry then
 */
export async function placeRegistry(from: string, directory: string): Promise<void> {
  checkNoRegistry(directory);
  const lock = takeLock(directory);
  try {
    const pointer = readPointer(from);
    if (pointer === undefined) throw new RegistryRefusal(`${from} holds no registry: leave out --registry`);
    copyLayers(from, pointer, directory);
    await verifyOnce(directory, pointer.current);
    writePointer(directory, pointer);
    giveToOwner(directory);
  } catch (error) {
    if (error instanceof RegistryRefusal) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new RegistryRefusal(
      `the registry in ${from} cannot be brought in (${reason}): nothing was restored; make room, or leave out --registry`,
      { cause: error },
    );
  } finally {
    lock.release();
  }
}

/** @throws {RegistryThere} when there is one */
export function checkNoRegistry(directory: string): void {
  if (readPointer(directory) !== undefined) throw new RegistryThere(directory);
}

/** The pointer is to come last: until then there is no registry. */
function copyLayers(from: string, pointer: Pointer, to: string): void {
  makeOwnFolder(to);
  const building = makeBuildingFolder(to);
  for (const file of new Set(namedLayers(pointer).map((layer) => layer.file))) {
    const names = namesPathOf(file);
    for (const name of existsSync(join(from, names)) ? [file, names] : [file])
      linkOrCopy(join(from, name), join(to, name), join(building, name));
  }
  rmSync(building, { recursive: true });
}

/** A copy gets its name when it is whole and on the disk. One that has it and is not whole was left by a kill: it is made anew. */
function linkOrCopy(from: string, to: string, beingWritten: string): void {
  if (existsSync(to)) {
    if (statSync(to).size === statSync(from).size) return;
    rmSync(to);
  }
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, beingWritten);
    syncToDisk(beingWritten);
    renameSync(beingWritten, to);
  }
}
