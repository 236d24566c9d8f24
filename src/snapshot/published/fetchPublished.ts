import { readdirSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { DamagedSnapshot } from "../damaged.ts";
import {
  clearLitter,
  makeBuildingFolder,
  makeFetchingFolder,
  namedLayers,
  readPointer,
  writePointer,
} from "../directory.ts";
import { type LayerInfo, layeredInfo, type Pointer, pointerTo, type SnapshotInfo } from "../info.ts";
import { makeCurrent, placeLayer, readPointerIfWhole, usable } from "../install.ts";
import { takeLock } from "../lock.ts";
import { verifyNames } from "../names/namesFile.ts";
import { buildNames } from "../names/namesThread.ts";
import { openLayer } from "../openSnapshot.ts";
import { RegistryNotWritable } from "../refusal.ts";
import { type Loss, lossesOf } from "../shrinking.ts";
import { verifyOnce } from "../verified.ts";
import { bytesThere, download } from "./download.ts";
import { expand } from "./expand.ts";
import { FetchFailure } from "./failure.ts";
import { fetchNames, usableNames } from "./fetchNames.ts";
import { type Manifest, type PublishedLayer, publishedLayers } from "./manifest.ts";
import type { PublishedNames } from "./namesList.ts";
import { type FetchOptions, PATIENCE } from "./source.ts";
import { readTaken, writeTaken } from "./taken.ts";

/** A published snapshot that is current now. */
export interface Taken {
  readonly snapshot: SnapshotInfo;
  /** Origins of which it holds far fewer companies than what was current before. */
  readonly losses: readonly Loss[];
}

export interface TakeOptions {
  /** Takes what is published though it is older than what was taken last. */
  readonly allowOlder?: boolean;
  /** Reads the current snapshot as a whole to see whether it must be fetched again. */
  readonly verifiesCurrent?: boolean;
}

/** Room that is left for the state and the log. */
const SPARE_BYTES = 64 << 20;
const UNWRITABLE: readonly unknown[] = ["EACCES", "EPERM", "EROFS", "EIO", "ENOENT", "ENOTDIR"];

/**
 * Whether `manifest` is already followed: it was taken here last, and the current snapshot can be used. Whatever was
 * made current here since then, by an import or a rollback, stays until the next publication.
 * @throws {FetchFailure} `older`
 */
export async function isFollowed(
  directory: string,
  manifest: Manifest,
  { allowOlder = false, verifiesCurrent = false }: TakeOptions,
): Promise<boolean> {
  const taken = readTaken(directory);
  if (taken === undefined) return false;
  const isSame = taken.serial === manifest.serial && taken.sha256 === manifest.snapshot.sha256;
  if (!isSame && manifest.serial <= taken.serial && !allowOlder) {
    throw new FetchFailure(
      "older",
      `The published manifest of ${manifest.publishedAt} is older than the one that was taken here: somebody put it back. To go back on purpose publish the earlier snapshot anew; to take this one here: "opzoek registry fetch --allow-older".`,
    );
  }
  return isSame && (await currentIsWhole(directory, verifiesCurrent));
}

async function currentIsWhole(directory: string, readsAll: boolean): Promise<boolean> {
  const pointer = readPointerIfWhole(directory);
  const current = pointer === "damaged" ? undefined : usable(directory, pointer?.current);
  return current !== undefined && (!readsAll || (await isWhole(directory, current)));
}

/**
 * Brings the published snapshot here and makes it current: from the file when it is the current or the previous one, else
 * by downloading, checking, unpacking, checking and opening it. A kill at any moment leaves the current snapshot as it
 * was, and a beginning of the download. Only one process at a time does this in a folder.
 * @throws {RegistryBusy} when another one is at work
 * @throws {FetchFailure}
 * @throws {RegistryRefusal} when the folder cannot be written, or the file holds no snapshot
 */
export async function take(
  manifest: Manifest,
  options: FetchOptions,
  how: TakeOptions,
  signal: AbortSignal,
): Promise<Taken | undefined> {
  const { directory } = options;
  refuseTooLarge(manifest, options.maxBytes);
  const lock = takeLock(directory);
  try {
    // Another process may have done it since it was looked at.
    if (await isFollowed(directory, manifest, how)) return undefined;
    const whole = readPointerIfWhole(directory);
    const pointer = whole === "damaged" ? undefined : whole;
    if (whole !== "damaged") clearLitter(directory, pointer, { keepsDownload: true });
    const losses = lossesFrom(directory, pointer?.current, manifest);
    const snapshot =
      (await fromHere(directory, pointer, manifest)) ?? (await fromThere(manifest, options, pointer, signal));
    writeTaken(directory, manifest);
    clearLitter(directory, readPointer(directory));
    return { snapshot, losses };
  } finally {
    lock.release();
  }
}

/** What an import of this node's own has added is meant to go with the next publication, and is no loss. */
function lossesFrom(
  directory: string,
  current: SnapshotInfo | undefined,
  { snapshot }: Manifest,
): readonly Loss[] {
  const countsVanished = current !== undefined && readTaken(directory)?.sha256 === current.sha256;
  return lossesOf(current?.origins ?? [], snapshot.origins, { countsVanished });
}

/** Makes a snapshot current that is here already: the one before, when the publisher went back to it. */
async function fromHere(
  directory: string,
  pointer: Pointer | undefined,
  { snapshot: { sha256 } }: Manifest,
): Promise<SnapshotInfo | undefined> {
  const { current, previous } = pointer ?? {};
  if (current?.sha256 === sha256 && (await isWhole(directory, current))) return current;
  if (current === undefined || previous?.sha256 !== sha256 || !(await isWhole(directory, previous)))
    return undefined;
  writePointer(directory, pointerTo(previous, current));
  return previous;
}

async function isWhole(directory: string, info: SnapshotInfo): Promise<boolean> {
  return verifyOnce(directory, info).then(
    () => true,
    () => false,
  );
}

/** Brings the layers that are lacking here, and makes a snapshot of all of them. */
async function fromThere(
  manifest: Manifest,
  options: FetchOptions,
  pointer: Pointer | undefined,
  signal: AbortSignal,
): Promise<SnapshotInfo> {
  const { directory } = options;
  const layers = publishedLayers(manifest);
  const held = await Promise.all(layers.map((layer) => heldHere(directory, pointer, layer)));
  const lacking = layers.filter((_, place) => held[place] === undefined);
  const names = lacking.length === 0 ? new Map<string, PublishedNames>() : await usableNames(options, signal);
  const needed = lacking.flatMap(({ file, snapshot }) => {
    const own = names.get(snapshot.sha256);
    return [{ file, bytes: snapshot.bytes }, ...(own === undefined ? [] : [own])];
  });
  const fetching = fetchingFolderFor(directory, new Set(needed.map(({ file }) => file.name)));
  await refuseWithoutRoom(directory, await neededBytes(fetching, needed));
  const building = makeBuildingFolder(directory);
  try {
    const fetched = new Map<PublishedLayer, string>();
    for (const [place, layer] of lacking.entries()) {
      const path = join(building, `layer-${place}.sqlite`);
      await fetchLayer(layer, path, join(fetching, layer.file.name), options, signal);
      const own = names.get(layer.snapshot.sha256);
      const isThere =
        own !== undefined && (await fetchNames(own, path, join(fetching, own.file.name), options, signal));
      if (!isThere) {
        await buildNames(path, layer.snapshot.sha256, signal);
        await verifyNames(path, layer.snapshot.sha256, signal);
      }
      fetched.set(layer, path);
    }
    const [base, ...segments] = layers.map((layer, place) => {
      const path = fetched.get(layer);
      const { number: _, ...unplaced } = layer.snapshot;
      const kind = place === 0 ? "snapshot" : "segment";
      const here = path === undefined ? held[place] : placeLayer(directory, path, kind, unplaced, pointer);
      if (here === undefined) throw new RangeError("a layer is neither here nor fetched");
      return here;
    });
    if (base === undefined) throw new RangeError("a snapshot has a base");
    return makeCurrent(directory, layeredInfo([base, ...segments], manifest.snapshot), pointer);
  } catch (error) {
    throw asFailure(error, directory);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** The same layer among those of the current and the previous snapshot. */
async function heldHere(
  directory: string,
  pointer: Pointer | undefined,
  { snapshot }: PublishedLayer,
): Promise<LayerInfo | undefined> {
  const here = namedLayers(pointer).find(({ sha256 }) => sha256 === snapshot.sha256);
  return here !== undefined && (await isWhole(directory, here)) ? here : undefined;
}

/** What is still to be downloaded of some files, and what they unpack to. */
async function neededBytes(fetching: string, files: readonly Unpacking[]): Promise<number> {
  let needed = 0;
  for (const { file, bytes } of files) {
    needed += file.bytes - (await bytesThere(join(fetching, file.name))) + bytes;
  }
  return needed;
}

type Unpacking = Pick<PublishedNames, "file" | "bytes">;

/** Downloads, checks and unpacks one layer. */
async function fetchLayer(
  { file, snapshot: { number: _, ...unplaced } }: PublishedLayer,
  path: string,
  packed: string,
  { source, patience = PATIENCE, onProgress = () => {} }: FetchOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    const received = (done: number) => onProgress({ stage: "downloading", done, total: file.bytes });
    await download({ source, file, path: packed, withinMs: patience.downloadMs, signal, onBytes: received });
    const unpacked = (done: number) => onProgress({ stage: "unpacking", done, total: unplaced.bytes });
    await expand(packed, path, unplaced, { signal, onBytes: unpacked });
    signal.throwIfAborted();
    openLayer(path, { ...unplaced, number: 1, file: "snapshot-1.sqlite" }).close();
  } catch (error) {
    // A beginning is kept, also when this process is stopped; what turned out to be of no use is not.
    const isOfNoUse =
      error instanceof DamagedSnapshot || (error instanceof FetchFailure && error.kind === "content");
    if (isOfNoUse) rmSync(packed, { force: true });
    throw error;
  }
}

/** The folder of downloads, without what is there of any other file. */
function fetchingFolderFor(directory: string, names: ReadonlySet<string>): string {
  const folder = makeFetchingFolder(directory);
  for (const found of readdirSync(folder)) {
    if (!names.has(found)) rmSync(join(folder, found), { recursive: true, force: true });
  }
  return folder;
}

function refuseTooLarge(manifest: Manifest, maxBytes: number): void {
  const sizes = publishedLayers(manifest).map(({ file, snapshot }) => Math.max(file.bytes, snapshot.bytes));
  const largest = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (largest <= maxBytes) return;
  throw new FetchFailure(
    "size",
    `The published snapshot has ${largest} bytes and REGISTRY_MAX_BYTES allows ${maxBytes}: raise it if that is as large as it should be.`,
  );
}

async function refuseWithoutRoom(directory: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < neededBytes + SPARE_BYTES) throw noRoom(directory, neededBytes);
}

function noRoom(directory: string, neededBytes?: number): FetchFailure {
  const needed = neededBytes === undefined ? "" : ` (it needs ${neededBytes + SPARE_BYTES} bytes)`;
  return new FetchFailure(
    "disk",
    `There is no room in ${directory} for the published snapshot${needed}: make room; it is tried again.`,
  );
}

/** What an error of fetching means to whoever reads it. */
function asFailure(error: unknown, directory: string): unknown {
  if (error instanceof DamagedSnapshot) {
    const message = `The published snapshot cannot be used (${error.reason}): publish anew.`;
    return new FetchFailure("content", message, { cause: error });
  }
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "ENOSPC") return noRoom(directory);
  return UNWRITABLE.includes(error.code) ? new RegistryNotWritable(directory, error) : error;
}
