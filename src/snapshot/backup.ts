import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncToDisk } from "../lib/inPlace.ts";
import { makeOwnFolder } from "../lib/ownFiles.ts";
import { makeBuildingFolder, namedLayers, readPointer, writePointer } from "./directory.ts";
import { takeLock } from "./lock.ts";
import { namesPathOf } from "./names/storedNames.ts";
import { RegistryRefusal } from "./refusal.ts";

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
  if (readPointer(directory) === undefined) return;
  const lock = takeLock(directory);
  try {
    copyFiles(directory, target);
  } finally {
    lock.release();
  }
}

/**
 * Puts such a copy where there is no registry.
 * @throws {RegistryThere} when there is one
 */
export function placeRegistry(from: string, directory: string): void {
  checkNoRegistry(directory);
  const lock = takeLock(directory);
  try {
    copyFiles(from, directory);
  } finally {
    lock.release();
  }
}

/** @throws {RegistryThere} when there is one */
export function checkNoRegistry(directory: string): void {
  if (readPointer(directory) !== undefined) throw new RegistryThere(directory);
}

/** The pointer comes last: until then there is no registry. */
function copyFiles(from: string, to: string): void {
  const pointer = readPointer(from);
  if (pointer === undefined) return;
  makeOwnFolder(to);
  const building = makeBuildingFolder(to);
  for (const file of new Set(namedLayers(pointer).map((layer) => layer.file))) {
    const names = namesPathOf(file);
    for (const name of existsSync(join(from, names)) ? [file, names] : [file])
      linkOrCopy(join(from, name), join(to, name), join(building, name));
  }
  rmSync(building, { recursive: true });
  writePointer(to, pointer);
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
