import { renameSync } from "node:fs";
import { join } from "node:path";
import { syncToDisk } from "../lib/inPlace.ts";
import type { BuiltLayer } from "./build.ts";
import { deleteLeftovers, nextNumber, readPointer, writePointer } from "./directory.ts";
import { DamagedSnapshot } from "./errors.ts";
import { deltaInfo, type LayerInfo, layersOf, type Pointer, pointerTo, type SnapshotInfo } from "./info.ts";
import { installNames } from "./names/storedNames.ts";
import { openLayer, openSnapshot } from "./openSnapshot.ts";
import { saveVerifiedNote } from "./verified.ts";

/**
 * Renames a finished layer into the folder, after the checks of every opening. The caller has hashed its content.
 * Nothing names it yet. Only under the lock.
 * @param path the file, on the same file system as `directory` and closed
 * @throws {DamagedSnapshot} when a check fails; then nothing has changed
 */
export function placeLayer(
  directory: string,
  { kind, path, info }: Pick<BuiltLayer, "kind" | "path" | "info">,
  pointer: Pointer | undefined,
): LayerInfo {
  syncToDisk(path);
  const number = nextNumber(directory, pointer);
  const file = `${kind === "base" ? "snapshot" : "segment"}-${number}.sqlite`;
  const layer: LayerInfo = { number, file, ...info };
  openLayer(path, layer).close();
  installNames(path, join(directory, file), layer.sha256);
  renameSync(path, join(directory, file));
  syncToDisk(directory);
  saveVerifiedNote(directory, layer);
  return layer;
}

/**
 * Makes a snapshot with installed layers the current one; the current one becomes the previous one. Only under the
 * lock.
 * @param forgotten KVK numbers: a snapshot that contains one of them is not kept as the previous one
 */
export function makeCurrent(
  directory: string,
  snapshot: SnapshotInfo,
  pointer: Pointer | undefined,
  forgotten?: ReadonlySet<string>,
): SnapshotInfo {
  const previous =
    usable(directory, pointer?.current, forgotten) ?? usable(directory, pointer?.previous, forgotten);
  putPointer(directory, pointerTo(snapshot, previous));
  return snapshot;
}

/** {@link placeLayer} and {@link makeCurrent} for a layer that was built, a delta above the current base. */
export function installLayer(
  directory: string,
  built: BuiltLayer,
  pointer: Pointer | undefined,
  forgotten: ReadonlySet<string>,
): SnapshotInfo {
  const layer = placeLayer(directory, built, pointer);
  const isDelta = built.kind === "delta" && pointer !== undefined;
  const snapshot = isDelta ? deltaInfo(layersOf(pointer.current)[0], layer, built.snapshot) : layer;
  return makeCurrent(directory, snapshot, pointer, forgotten);
}

/** Deletes the previous snapshot if it contains a forgotten company. */
export function forgetPrevious(directory: string, pointer: Pointer, forgotten: ReadonlySet<string>): void {
  if (forgotten.size === 0 || pointer.previous === undefined) return;
  if (usable(directory, pointer.previous, forgotten) === undefined)
    putPointer(directory, pointerTo(pointer.current, undefined));
}

function putPointer(directory: string, pointer: Pointer): void {
  writePointer(directory, pointer);
  deleteLeftovers(directory, pointer);
}

/** Returns the snapshot, unless it is obviously damaged or contains a forgotten company. */
function usable(
  directory: string,
  info: SnapshotInfo | undefined,
  forgotten: ReadonlySet<string> = new Set(),
): SnapshotInfo | undefined {
  if (info === undefined) return undefined;
  try {
    const snapshot = openSnapshot(directory, info);
    const isUsable = !snapshot.holdsAny(forgotten);
    snapshot.close();
    return isUsable ? info : undefined;
  } catch (error) {
    if (error instanceof DamagedSnapshot) return undefined;
    throw error;
  }
}

/** Reads the pointer, for work that replaces a damaged one. */
export function readPointerIfWhole(directory: string): Pointer | "damaged" | undefined {
  try {
    return readPointer(directory);
  } catch (error) {
    if (error instanceof DamagedSnapshot) return "damaged";
    throw error;
  }
}
