import type { KeyObject } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { earlierOf } from "../../lib/deadline.ts";
import { writeInPlace } from "../../lib/inPlace.ts";
import { deleteLeftovers, namedLayers, readPointer, writePointer } from "../directory.ts";
import { asRefusal, DamagedSnapshot } from "../errors.ts";
import { deltaInfo, type LayerInfo, layersOf, type Pointer, pointerTo, type SnapshotInfo } from "../info.ts";
import { makeCurrent, placeLayer, readPointerIfWhole } from "../install.ts";
import { inBuildingFolder, takeLock } from "../lock.ts";
import { buildNames, CannotBuildNames } from "../names/buildNames.ts";
import { namesPathOf, verifyNames } from "../names/storedNames.ts";
import { type Loss, lossesOf } from "../shrinkGuard.ts";
import type { LayerPlace } from "../types.ts";
import { verifyOnce } from "../verified.ts";
import { archivedNamesOf, saveArchive, unpackArchive } from "./archive.ts";
import { badArchive, FetchFailure } from "./failure.ts";
import type { Manifest } from "./manifest.ts";
import { FETCH_TIMEOUTS, type FetchTimeouts, type PublishedSource } from "./source.ts";

export interface FetchOptions {
  /** The registry's folder. */
  readonly directory: string;
  readonly source: PublishedSource;
  readonly publicKeys: readonly KeyObject[];
  /** Neither the archive nor its content may be larger. */
  readonly maxBytes: number;
  /** Accepts a publication that is older than the last one. */
  readonly allowOlder?: boolean;
  readonly patience?: FetchTimeouts;
  readonly onProgress?: (progress: { stage: string; done: number; total: number }) => void;
}

/** A published snapshot that is current now. */
export interface InstalledSnapshot {
  readonly snapshot: SnapshotInfo;
  /** Origins that lost many companies compared with the previous snapshot. */
  readonly losses: readonly Loss[];
}

/** Disk space reserved for the state and the log. */
const SPARE_BYTES = 64 << 20;

/** The last installed publication: its serial and the snapshot's SHA-256. */
const LAST_FILE = "published.json";
const LastSchema = Type.Object({ serial: Type.Integer({ minimum: 1 }), sha256: Type.String() });

function readLast(directory: string): Static<typeof LastSchema> | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(directory, LAST_FILE), "utf8"));
    return Value.Check(LastSchema, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether `manifest` is the last one installed here and the current snapshot can be used. A later local import or
 * rollback stays until the next publication.
 * @throws {FetchFailure} `older`
 */
export async function isInstalled(manifest: Manifest, options: FetchOptions): Promise<boolean> {
  const { directory, allowOlder = false } = options;
  const last = readLast(directory);
  if (last === undefined) return false;
  const isSame = last.serial === manifest.serial && last.sha256 === manifest.snapshot.sha256;
  if (!isSame && manifest.serial <= last.serial && !allowOlder) {
    throw new FetchFailure(
      "older",
      `The published manifest of ${manifest.publishedAt} is older than the last one installed here. To go back on purpose, publish the earlier snapshot again; to install this one here: "opzoek registry fetch --allow-older".`,
    );
  }
  const pointer = readPointerIfWhole(directory);
  return isSame && pointer !== "damaged" && (await isWhole(directory, pointer?.current));
}

async function isWhole(directory: string, info: SnapshotInfo | undefined): Promise<boolean> {
  if (info === undefined) return false;
  return verifyOnce(directory, info).then(
    () => true,
    () => false,
  );
}

/**
 * Makes the published snapshot current: reuses the current or previous local snapshot if it is the same, otherwise
 * downloads the archive. A kill at any moment leaves the registry intact. Only one process per folder does this at a
 * time.
 * @returns undefined when another process has just installed it
 * @throws {RegistryBusy} when another process works in the folder
 * @throws {FetchFailure}
 * @throws {RegistryRefusal} when the folder cannot be written
 */
export async function installPublished(
  manifest: Manifest,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<InstalledSnapshot | undefined> {
  const { directory, maxBytes } = options;
  const largest = Math.max(manifest.archive.bytes, manifest.archive.unpackedBytes);
  if (largest > maxBytes) {
    throw new FetchFailure(
      "size",
      `The published registry has ${largest} bytes and REGISTRY_MAX_BYTES allows ${maxBytes}: raise it if that size is right.`,
    );
  }
  const lock = takeLock(directory);
  try {
    if (await isInstalled(manifest, options)) return undefined;
    const found = readPointerIfWhole(directory);
    const pointer = found === "damaged" ? undefined : found;
    if (found !== "damaged") deleteLeftovers(directory, pointer);
    // Companies added by a local import are replaced on purpose and are not a loss.
    const countsVanished = readLast(directory)?.sha256 === pointer?.current.sha256;
    const losses = lossesOf(pointer?.current.origins ?? [], manifest.snapshot.origins, { countsVanished });
    const { sha256 } = manifest.snapshot;
    const local = [pointer?.current, pointer?.previous].find((info) => info?.sha256 === sha256);
    const isHere = local !== undefined && (await isWhole(directory, local));
    const snapshot = isHere ? local : await downloadSnapshot(manifest, options, pointer, signal);
    // The publisher went back to the previous snapshot.
    if (isHere && local !== pointer?.current) writePointer(directory, pointerTo(local, pointer?.current));
    // Last, because the next round repairs an earlier kill.
    writeInPlace(directory, LAST_FILE, `${JSON.stringify({ serial: manifest.serial, sha256 })}\n`);
    return { snapshot, losses };
  } catch (error) {
    throw error instanceof DamagedSnapshot ? badArchive(error.reason, error) : asRefusal(error, directory);
  } finally {
    lock.release();
  }
}

/** Downloads, verifies, unpacks and installs, in this order. */
async function downloadSnapshot(
  { archive, snapshot }: Manifest,
  { directory, source, patience = FETCH_TIMEOUTS, onProgress = () => {} }: FetchOptions,
  pointer: Pointer | undefined,
  signal: AbortSignal,
): Promise<SnapshotInfo> {
  const neededBytes = archive.bytes + archive.unpackedBytes + SPARE_BYTES;
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < neededBytes) {
    const message = `There is no room in ${directory} for the published registry, which needs ${neededBytes} bytes: make room.`;
    throw new FetchFailure("size", message);
  }
  const receiving = (stage: string, total: number) => ({
    signal,
    onBytes: (done: number) => onProgress({ stage, done, total }),
  });
  return inBuildingFolder(directory, async (building) => {
    const path = join(building, archive.name);
    const file = await source.get(archive.name, earlierOf(signal, patience.downloadMs));
    if (file === undefined) throw new RangeError("a file that was asked for without an ETag is unchanged");
    await saveArchive(file.body, path, archive, receiving("downloading", archive.bytes));
    await unpackArchive(path, building, archive, receiving("unpacking", archive.unpackedBytes));
    const current = readPointer(building)?.current;
    if (current?.sha256 !== snapshot.sha256) throw badArchive("it contains another snapshot");
    const place = async (kind: "base" | "delta", layer: LayerInfo) => {
      // An existing layer stays, because processes have it open with its index.
      const local = namedLayers(pointer).find(({ sha256 }) => sha256 === layer.sha256);
      if (local !== undefined && (await isWhole(directory, local))) return local;
      const { file: name, number: _, ...info } = layer;
      const path = join(building, name);
      const archived = join(building, archivedNamesOf(name));
      if (existsSync(archived)) renameSync(archived, namesPathOf(path));
      if ((await verifyNames(path, layer.sha256, signal)) !== undefined) {
        await buildBeforeUse({ path, info: layer }, signal, receiving("indexing", layer.companies).onBytes);
      }
      signal.throwIfAborted();
      return placeLayer(directory, { kind, path, info }, pointer);
    };
    const [publishedBase, publishedDelta] = layersOf(current);
    const base = await place("base", publishedBase);
    const delta = publishedDelta && (await place("delta", publishedDelta));
    const taken = delta === undefined ? base : deltaInfo(base, delta, current);
    return makeCurrent(directory, taken, pointer);
  });
}

/**
 * Builds the index of a layer from a publisher whose version has another one, so that the present snapshot is served
 * until then, even after a restart. If that fails, the service that opens the snapshot tries again and reports it.
 */
async function buildBeforeUse(
  place: LayerPlace,
  signal: AbortSignal,
  onCompanies: (done: number) => void,
): Promise<void> {
  try {
    await buildNames(place, { signal, onCompanies });
  } catch (error) {
    if (!(error instanceof CannotBuildNames)) throw error;
    rmSync(namesPathOf(place.path), { force: true });
  }
}
