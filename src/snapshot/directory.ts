import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import { makeOwnFolder, OWN_FILE_MODE } from "../lib/ownFiles.ts";
import { DamagedSnapshot } from "./damaged.ts";
import { type LayerInfo, layersOf, type Pointer, PointerSchema } from "./info.ts";
import { LAYER_FILE, POINTER, pointerPath } from "./places.ts";
import { RegistryNotReadable } from "./refusal.ts";

const POINTER_BEING_WRITTEN = `${POINTER}.new`;
/** What stands beside one: its index of names and the notes that they were verified; or one that is being written. */
const FILE_BESIDE = /^((?:snapshot|segment)-[0-9]+)\.(?:names|verified|verified-names)(?:\.[0-9-]+\.new)?$/;
/** What an import builds in; gone when it is done. */
const BUILDING = "building";
/** What was downloaded so far of a published snapshot. */
const FETCHING = "fetching";

/**
 * Which snapshots there are; undefined when nothing was imported yet.
 * @throws {DamagedSnapshot} when the pointer is none
 * @throws {RegistryNotReadable} when it cannot be read
 */
export function readPointer(directory: string): Pointer | undefined {
  let text: string;
  try {
    text = readFileSync(pointerPath(directory), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new RegistryNotReadable(directory, error);
  }
  return parsePointer(text, pointerPath(directory));
}

/** @throws {DamagedSnapshot} when `text` is no pointer */
export function parsePointer(text: string, path: string): Pointer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new DamagedSnapshot(path, "it holds no JSON", { canGoBack: false });
  }
  if (!Value.Check(PointerSchema, parsed)) {
    throw new DamagedSnapshot(path, "it is no list of snapshots", { canGoBack: false });
  }
  return parsed;
}

export function writePointer(directory: string, pointer: Pointer): void {
  writeInPlace(directory, POINTER, `${JSON.stringify(pointer, undefined, 2)}\n`);
}

/**
 * Puts a file in place at once: whoever reads sees the old text or the new one, also after a power cut.
 * @param mode who may read it, less what the umask takes
 */
export function writeInPlace(directory: string, name: string, text: string, mode = OWN_FILE_MODE): void {
  const beingWritten = join(directory, `${name}.new`);
  // One that a kill left would keep its mode.
  rmSync(beingWritten, { force: true });
  const file = openSync(beingWritten, "wx", mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beingWritten, join(directory, name));
  syncToDisk(directory);
}

/** Makes a file's content, or a folder's list of files, survive a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** An empty folder to build in, inside `directory` so that what is built can be renamed into place. */
export function makeBuildingFolder(directory: string): string {
  const folder = join(directory, BUILDING);
  rmSync(folder, { recursive: true, force: true });
  makeOwnFolder(folder);
  return folder;
}

/** The folder of downloads inside `directory`; one that was cut is gone on with by the next one of the same file. */
export function makeFetchingFolder(directory: string): string {
  const folder = join(directory, FETCHING);
  makeOwnFolder(folder);
  return folder;
}

/**
 * Deletes what a killed import or download left and what the pointer no longer names. Only under the lock.
 * @param keepsDownload leaves a download that may be gone on with
 */
export function clearLitter(
  directory: string,
  pointer: Pointer | undefined,
  { keepsDownload = false } = {},
): void {
  const named = new Set(namedLayers(pointer).map(({ file }) => file));
  const litter = new Set([BUILDING, POINTER_BEING_WRITTEN, ...(keepsDownload ? [] : [FETCHING])]);
  for (const name of readdirSync(directory)) {
    const isUnnamed = LAYER_FILE.test(name) && !named.has(name);
    const beside = FILE_BESIDE.exec(name)?.[1];
    const isOfNone = beside !== undefined && !named.has(`${beside}.sqlite`);
    const isLitter = litter.has(name) || isUnnamed || isOfNone;
    if (isLitter) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** The files of the snapshots that a pointer names; those that both have come twice. */
export function namedLayers(pointer: Pointer | undefined): readonly LayerInfo[] {
  return [pointer?.current, pointer?.previous].flatMap((info) => (info === undefined ? [] : layersOf(info)));
}

/** A number that no file of a snapshot had: numbers are never used again, also not after going back. */
export function nextNumber(directory: string, pointer: Pointer | undefined): number {
  const files = readdirSync(directory).map((name) => Number(LAYER_FILE.exec(name)?.[1] ?? 0));
  const named = namedLayers(pointer).map(({ number }) => number);
  return Math.max(0, ...named, ...files) + 1;
}
