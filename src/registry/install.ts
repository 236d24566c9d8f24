import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncToDisk } from "../lib/inPlace.ts";
import { writeIdentity } from "../search/index/indexFile.ts";
import { DamagedSnapshot } from "./damaged.ts";
import { clearLitter, nextNumber, readPointer, writePointer } from "./directory.ts";
import { type Contents, type LayerInfo, type Pointer, pointerTo, type SnapshotInfo } from "./info.ts";
import { placeNames, verifyNames } from "./names/namesFile.ts";
import { namesPathOf } from "./names/storedNames.ts";
import { openLayer, openSnapshot, sha256OfFile } from "./openSnapshot.ts";
import { noteVerified } from "./verified.ts";

/** What is said of a layer before it has its place in a folder. */
export type UnplacedLayer = Omit<LayerInfo, "number" | "file">;

/**
 * What is said of a finished, closed file; beside it its index of names is told what it was built of, and verified.
 * @param known the SHA-256 of its content, where it was taken already
 */
export async function finishedLayer(
  path: string,
  contents: Contents,
  known?: string,
): Promise<UnplacedLayer> {
  const sha256 = known ?? (await sha256OfFile(path));
  writeIdentity(namesPathOf(path), sha256);
  await verifyNames(path, sha256);
  return { sha256, bytes: statSync(path).size, ...contents, createdAt: new Date().toISOString() };
}

/**
 * Puts the finished file of a layer in place, whose content the caller has hashed: checks it as every opening does, and renames it into the
 * folder. Nothing names it yet. Only under the lock.
 * @param path the file, on the same file system as `directory` and closed
 * @param kind what it is called: a base is a `snapshot`
 * @throws {DamagedSnapshot} when a check fails; then nothing has changed
 */
export function placeLayer(
  directory: string,
  path: string,
  kind: "snapshot" | "segment",
  unplaced: UnplacedLayer,
  pointer: Pointer | undefined,
): LayerInfo {
  syncToDisk(path);
  const number = nextNumber(directory, pointer);
  const layer: LayerInfo = { number, file: `${kind}-${number}.sqlite`, ...unplaced };
  openLayer(path, layer).close();
  placeNames(path, join(directory, layer.file), layer.sha256);
  renameSync(path, join(directory, layer.file));
  syncToDisk(directory);
  noteVerified(directory, layer);
  return layer;
}

/**
 * Makes a snapshot, whose layers are in place, the current one; what was current becomes the previous one. Only under the lock.
 * @param forgotten KVK numbers: no snapshot that holds one of them is kept to go back to
 */
export function makeCurrent(
  directory: string,
  snapshot: SnapshotInfo,
  pointer: Pointer | undefined,
  forgotten?: ReadonlySet<string>,
): SnapshotInfo {
  const previous =
    usable(directory, pointer?.current, forgotten) ?? usable(directory, pointer?.previous, forgotten);
  const next = pointerTo(snapshot, previous);
  writePointer(directory, next);
  clearLitter(directory, next);
  return snapshot;
}

/** {@link placeLayer} of a base, and {@link makeCurrent} of a snapshot of it alone. */
export function installBase(
  directory: string,
  path: string,
  unplaced: UnplacedLayer,
  pointer: Pointer | undefined,
  forgotten: ReadonlySet<string>,
): SnapshotInfo {
  const base = placeLayer(directory, path, "snapshot", unplaced, pointer);
  return makeCurrent(directory, base, pointer, forgotten);
}

/** The snapshot, unless it is plainly damaged or holds a forgotten company: then there is no going back to it. */
export function usable(
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

/** The pointer, or that it is damaged, for work that replaces what is there. */
export function readPointerIfWhole(directory: string): Pointer | "damaged" | undefined {
  try {
    return readPointer(directory);
  } catch (error) {
    if (error instanceof DamagedSnapshot) return "damaged";
    throw error;
  }
}
