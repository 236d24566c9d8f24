import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import { writeInPlace } from "../lib/inPlace.ts";
import { DamagedSnapshot, RegistryNotReadable } from "./errors.ts";
import { type LayerInfo, layersOf, type Pointer, PointerSchema } from "./info.ts";
import { LAYER_FILE, POINTER, pointerPath } from "./paths.ts";

const POINTER_BEING_WRITTEN = `${POINTER}.new`;
/**
 * Files of a layer: its name indexes, of each version of the program, and the notes that all were verified; also while
 * being written.
 */
const COMPANION =
  /^((?:snapshot|segment)-[0-9]+)\.(?:verified|(?:verified-)?names(?:-[0-9]+)?)(?:(?:\.[0-9-]+)?\.new)?$/;
/** The folder that an import builds in, deleted when it is done. */
export const BUILDING = "building";

/**
 * Reads the pointer; undefined before the first import.
 * @throws {DamagedSnapshot} when its content is not a pointer
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

/** @throws {DamagedSnapshot} when `text` is not a pointer */
export function parsePointer(text: string, path: string): Pointer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new DamagedSnapshot(path, "it is not JSON", { canGoBack: false });
  }
  if (!Value.Check(PointerSchema, parsed)) {
    throw new DamagedSnapshot(path, "it is not a list of snapshots", { canGoBack: false });
  }
  return parsed;
}

export function writePointer(directory: string, pointer: Pointer): void {
  writeInPlace(directory, POINTER, `${JSON.stringify(pointer, undefined, 2)}\n`);
}

/**
 * Deletes leftovers of killed imports and downloads, and files that the pointer no longer names. Only under the lock.
 */
export function deleteLeftovers(directory: string, pointer: Pointer | undefined): void {
  const named = new Set(namedLayers(pointer).map(({ file }) => file));
  const litter = new Set([BUILDING, POINTER_BEING_WRITTEN]);
  for (const name of readdirSync(directory)) {
    const isUnnamed = LAYER_FILE.test(name) && !named.has(name);
    const base = COMPANION.exec(name)?.[1];
    const isOfNone = base !== undefined && !named.has(`${base}.sqlite`);
    const isLitter = litter.has(name) || isUnnamed || isOfNone;
    if (isLitter) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** The files that a pointer names. Files of both snapshots occur twice. */
export function namedLayers(pointer: Pointer | undefined): readonly LayerInfo[] {
  return [pointer?.current, pointer?.previous].flatMap((info) => (info === undefined ? [] : layersOf(info)));
}

/**
 * Returns a number that no file has. Numbers of deleted files are reused, so files are identified by their SHA-256.
 */
export function nextNumber(directory: string, pointer: Pointer | undefined): number {
  const files = readdirSync(directory).map((name) => Number(LAYER_FILE.exec(name)?.[1] ?? 0));
  const named = namedLayers(pointer).map(({ number }) => number);
  return Math.max(0, ...named, ...files) + 1;
}
