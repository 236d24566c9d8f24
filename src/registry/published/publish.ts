import { createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileErrorOf } from "../../lib/fileErrors.ts";
import { syncToDisk, writeInPlace } from "../../lib/inPlace.ts";
import { readPointer } from "../directory.ts";
import { RegistryRefusal } from "../errors.ts";
import { layersOf, pointerTo, type SnapshotInfo } from "../info.ts";
import { LAYOUT_VERSION } from "../layout.ts";
import { takeLock } from "../lock.ts";
import { buildNames } from "../names/buildNames.ts";
import { namesPathOf, verifyNames } from "../names/storedNames.ts";
import { POINTER } from "../paths.ts";
import { lossesOf, ShrinkRefused } from "../shrinkGuard.ts";
import { verifyAnew } from "../verified.ts";
import { type ArchiveSizes, archivedNamesOf, readParts, writeArchive } from "./archive.ts";
import { FetchFailure } from "./failure.ts";
import { MANIFEST_FILE, MANIFEST_FORMAT, type Manifest, readManifest, signManifest } from "./manifest.ts";
import { MAX_ENTRY_BYTES, type TarEntry } from "./tar.ts";

export interface PublishOptions {
  /** The registry's folder. */
  readonly directory: string;
  /** The published folder; created when it is missing. */
  readonly target: string;
  readonly privateKey: KeyObject;
  /** Keys of an existing manifest in the folder, whose serial is continued. */
  readonly publicKeys: readonly KeyObject[];
  /** Lets an origin lose more than a tenth of its companies. */
  readonly allowShrink?: boolean;
  readonly onProgress?: (progress: { stage: string; done: number; total: number }) => void;
  readonly now?: () => number;
}

export interface Published {
  readonly manifest: Manifest;
  /** False when this snapshot was already published, and only its signature was renewed. */
  readonly isNew: boolean;
}

/** There is nothing to publish, or the target cannot be written. */
export class CannotPublish extends RegistryRefusal {}

const ARCHIVE = /^registry-[0-9]+\.tar\.zst$/;
const BEING_WRITTEN = ".publishing-";
/** The umask decides, because a web server, usually another user, must read these files. */
const FOR_ALL_MODE = 0o666;

/**
 * Publishes the current snapshot: first the archive, then the manifest, each by one rename, so that a manifest never
 * names a missing archive. The previous archive stays for nodes that are still downloading it.
 * @throws {CannotPublish} when there is no snapshot, or the folder cannot be written
 * @throws {DamagedSnapshot} when the current snapshot is damaged
 * @throws {RegistryBusy} while an import is running
 * @throws {ShrinkRefused} when nodes would lose more than a tenth of an origin's companies
 */
export async function publishSnapshot(options: PublishOptions): Promise<Published> {
  const { directory, target } = options;
  // Before the lock, which would create the folder.
  const found = readPointer(directory);
  if (found === undefined) {
    throw new CannotPublish(
      `There is no registry in ${directory} to publish yet: fill it with "opzoek import <format> <file>".`,
    );
  }
  const lock = takeLock(directory);
  try {
    const { current } = readPointer(directory) ?? found;
    await mkdir(target, { recursive: true });
    return await publish(current, options);
  } catch (error) {
    const code = fileErrorOf(error);
    if (code === undefined) throw error;
    throw new CannotPublish(
      `${target} cannot be written (${code}): check that it is a folder in which you may write, with room. What was published there has not changed.`,
      { cause: error },
    );
  } finally {
    lock.release();
  }
}

async function publish(current: SnapshotInfo, options: PublishOptions): Promise<Published> {
  const { target, privateKey, publicKeys, allowShrink = false, now = Date.now } = options;
  const nowMs = now();
  const publishedAt = new Date(nowMs).toISOString();
  const { sha256, companies, origins, createdAt } = current;
  const own = manifestIn(target, [createPublicKey(privateKey)]);
  if (own?.snapshot.sha256 === sha256 && sizeOf(join(target, own.archive.name)) === own.archive.bytes) {
    // The serial stays the same, so nodes fetch nothing and keep local imports and rollbacks.
    const manifest = { ...own, publishedAt };
    writeInPlace(target, MANIFEST_FILE, signManifest(manifest, privateKey), FOR_ALL_MODE);
    return { manifest, isNew: false };
  }
  const before = own ?? manifestIn(target, publicKeys);
  // Going back to an earlier snapshot is intended.
  const isGoingBack = before !== undefined && createdAt < before.snapshot.createdAt;
  const losses = lossesOf(before?.snapshot.origins ?? [], origins, { countsVanished: true });
  if (losses.length > 0 && !isGoingBack && !allowShrink) {
    const advice =
      "What is published has not changed. Nodes take what is signed; --allow-shrink publishes it.";
    throw new ShrinkRefused("This publication", losses, advice);
  }
  const serial = Math.max(nowMs, (before?.serial ?? 0) + 1);
  const name = `registry-${serial}.tar.zst`;
  const sizes = await writeSnapshot(current, join(target, name), options);
  const manifest: Manifest = {
    ...{ format: MANIFEST_FORMAT, serial, publishedAt, layout: LAYOUT_VERSION },
    snapshot: { sha256, companies, origins, createdAt },
    archive: { name, ...sizes },
  };
  writeInPlace(target, MANIFEST_FILE, signManifest(manifest, privateKey), FOR_ALL_MODE);
  // Nodes may still be downloading the previous one.
  clearTarget(target, [name, before?.archive.name]);
  return { manifest, isNew: true };
}

/** Writes the archive of a snapshot by one rename. Builds missing or damaged indexes first. */
async function writeSnapshot(
  current: SnapshotInfo,
  path: string,
  { directory, target, onProgress = () => {} }: PublishOptions,
): Promise<ArchiveSizes> {
  await verifyAnew(directory, current);
  const pointer = Buffer.from(JSON.stringify(pointerTo(current, undefined)));
  const entries: TarEntry[] = [{ name: POINTER, bytes: pointer.length, body: Readable.from([pointer]) }];
  for (const info of layersOf(current)) {
    const place = { path: join(directory, info.file), info };
    if ((await verifyNames(place.path, info.sha256)) !== undefined) await buildNames(place);
    const add = (name: string, file: string) =>
      entries.push({ name, bytes: statSync(file).size, body: readParts(file) });
    add(info.file, place.path);
    add(archivedNamesOf(info.file), namesPathOf(place.path));
  }
  const tooLarge = entries.find(({ bytes }) => bytes > MAX_ENTRY_BYTES);
  if (tooLarge !== undefined)
    throw new CannotPublish(`${tooLarge.name} has 8 GiB or more: too large to publish.`);
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const beingWritten = join(target, `${BEING_WRITTEN}${process.pid}`);
  try {
    const sizes = await writeArchive(entries, beingWritten, (done) =>
      onProgress({ stage: "compressing", done: Math.min(done, total), total }),
    );
    renameSync(beingWritten, path);
    syncToDisk(target);
    return sizes;
  } finally {
    rmSync(beingWritten, { force: true });
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Reads the manifest in the folder if one of the keys signed it. */
function manifestIn(target: string, publicKeys: readonly KeyObject[]): Manifest | undefined {
  const path = join(target, MANIFEST_FILE);
  try {
    return existsSync(path) ? readManifest(readFileSync(path), publicKeys) : undefined;
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  }
}

/** Deletes leftovers of killed publications and earlier archives. */
function clearTarget(target: string, keep: readonly unknown[]): void {
  for (const name of readdirSync(target)) {
    const isEarlier = ARCHIVE.test(name) && !keep.includes(name);
    if (isEarlier || name.startsWith(BEING_WRITTEN)) rmSync(join(target, name), { force: true });
  }
}
