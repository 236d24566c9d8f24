import type { KeyObject } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { syncToDisk, writeInPlace } from "../../lib/inPlace.ts";
import { DamagedSnapshot } from "../damaged.ts";
import { readPointer } from "../directory.ts";
import { type LayerInfo, layersOf, type SnapshotInfo } from "../info.ts";
import { takeLock } from "../lock.ts";
import { layoutOf, openLayer } from "../openSnapshot.ts";
import { pointerPath } from "../places.ts";
import { RegistryRefusal } from "../refusal.ts";
import { lossesOf, WouldShrink } from "../shrinking.ts";
import { compress } from "./compress.ts";
import { FetchFailure } from "./failure.ts";
import {
  fileNameOf,
  MANIFEST_FILE,
  type Manifest,
  manifestOf,
  type PublishedLayer,
  publishedLayers,
  readManifest,
  signManifest,
} from "./manifest.ts";
import { NAMES_LIST_FILE, readNamesList } from "./namesList.ts";
import { type NamesPublication, publishNames } from "./publishNames.ts";

export interface PublishOptions {
  /** The registry's folder. */
  readonly directory: string;
  /** The published folder; it is made when it is not there. */
  readonly target: string;
  readonly privateKey: KeyObject;
  /** Keys of manifests that may stand in the folder already: the serial goes on from there. */
  readonly publicKeys: readonly KeyObject[];
  /** Let an origin lose more than a tenth of its companies. */
  readonly allowShrink?: boolean;
  readonly onProgress?: (progress: { stage: string; done: number; total: number }) => void;
  readonly now?: () => number;
}

export interface Published {
  readonly manifest: Manifest;
  /** False when this snapshot was the published one already; then its manifest was signed anew, under the same serial. */
  readonly isNew: boolean;
  /** How many files of layers were written: those that were published before are left as they are. */
  readonly sent: number;
}

/** Nothing can be published, or not there. */
export class CannotPublish extends RegistryRefusal {}

const DATA_FILE = /^(snapshot|segment)-[0-9a-f]{64}\.(sqlite|names)\.zst$/;
const BEING_WRITTEN = ".publishing";
/** Kept beside the one that is published, for nodes that are in the middle of them. */
const EARLIER_FILES_KEPT = { snapshot: 2, segment: 32 } as const;
/** A web server, which is another user, reads what is published: the umask decides. */
const FOR_ALL_MODE = 0o666;
/** Level 3 makes a file that is 18 % larger in a third of the time; level 15 takes eleven times as long for 2 % less. */
const LEVEL = 9;

/**
 * Publishes the current snapshot: the compressed files of its layers first, but those that are there already, then the manifest that names
 * them, and beside it that of their indexes of names, each by one rename, so that whoever reads finds a manifest whose files are there. Memory stays flat.
 * @throws {CannotPublish} when there is no snapshot, or the folder cannot be written
 * @throws {DamagedSnapshot} when the current snapshot is not what was built
 * @throws {RegistryBusy} while an import is at work
 * @throws {WouldShrink} when nodes would lose more than a tenth of an origin's companies
 */
export async function publishSnapshot(options: PublishOptions): Promise<Published> {
  const { directory, target } = options;
  if (!existsSync(pointerPath(directory))) throw nothingThere(directory);
  const lock = takeLock(directory);
  try {
    const current = readPointer(directory)?.current;
    if (current === undefined) throw nothingThere(directory);
    await mkdir(target, { recursive: true });
    return await publish(current, options);
  } catch (error) {
    if (error instanceof RegistryRefusal || !(error instanceof Error && "code" in error)) throw error;
    throw new CannotPublish(
      `${target} cannot be written (${String(error.code)}): check that it is a folder in which you may write, with room. What was published there is as it was.`,
      { cause: error },
    );
  } finally {
    lock.release();
  }
}

function nothingThere(directory: string): CannotPublish {
  return new CannotPublish(
    `There is no registry in ${directory} to publish yet: fill it with "opzoek import <format> <file>".`,
  );
}

async function publish(current: SnapshotInfo, options: PublishOptions): Promise<Published> {
  const { directory, target, privateKey, publicKeys, onProgress = () => {}, now = Date.now } = options;
  const before = manifestIn(target, publicKeys);
  if (before !== undefined && isPublished(target, before, current, privateKey)) {
    // A sign of life. Its serial stays: nobody need fetch anything, and an import or rollback of a node's own stays, too.
    const manifest: Manifest = { ...before, publishedAt: new Date(now()).toISOString() };
    await publishNames(current, namesPublication(options));
    writeManifest(target, manifest, privateKey);
    return { manifest, isNew: false, sent: 0 };
  }
  const losses = lossesOf(before?.snapshot.origins ?? [], current.origins, { countsVanished: true });
  // Whoever goes back to an earlier snapshot knows what it holds.
  const isGoingBack = before !== undefined && current.createdAt < before.snapshot.createdAt;
  if (losses.length > 0 && !isGoingBack && options.allowShrink !== true) {
    throw new WouldShrink(
      "This publication",
      losses,
      "What is published is as it was. If that is meant, publish with --allow-shrink: nodes take what is signed.",
    );
  }
  const layers: PublishedLayer[] = [];
  let sent = 0;
  for (const [place, layer] of layersOf(current).entries()) {
    const there = publishedAs(target, before, layer);
    if (there === undefined) sent++;
    const kind = place === 0 ? "snapshot" : "segment";
    layers.push(there ?? (await writeLayer(join(directory, layer.file), layer, kind, target, onProgress)));
  }
  const [base, ...segments] = layers;
  if (base === undefined) throw new RangeError("a snapshot has a base");
  const publishedMs = now();
  const { file: _, layers: __, ...snapshot } = current;
  const signed = {
    serial: Math.max(publishedMs, (before?.serial ?? 0) + 1),
    publishedAt: new Date(publishedMs).toISOString(),
  };
  const manifest = manifestOf(signed, snapshot, [base, ...segments]);
  await publishNames(current, namesPublication(options));
  writeManifest(target, manifest, privateKey);
  clearTarget(target, filesOf(target, layers, publicKeys));
  return { manifest, isNew: true, sent };
}

function namesPublication(options: PublishOptions): NamesPublication {
  const { directory, target, privateKey, publicKeys, onProgress = () => {} } = options;
  const beingWritten = join(target, `${BEING_WRITTEN}-${process.pid}`);
  return { directory, target, privateKey, publicKeys, onProgress, beingWritten, mode: FOR_ALL_MODE };
}

/** The names of the files of layers and of their indexes. */
function filesOf(
  target: string,
  layers: readonly PublishedLayer[],
  publicKeys: readonly KeyObject[],
): ReadonlySet<string> {
  const current = new Set(layers.map(({ snapshot }) => snapshot.sha256));
  const names = readNamesList(readFileSync(join(target, NAMES_LIST_FILE)), publicKeys);
  return new Set([
    ...layers.map(({ file }) => file.name),
    ...names.filter(({ of }) => current.has(of)).map(({ file }) => file.name),
  ]);
}

/** A layer that the folder gives out already; undefined when it does not. */
function publishedAs(
  target: string,
  before: Manifest | undefined,
  { sha256 }: LayerInfo,
): PublishedLayer | undefined {
  const layers = before === undefined ? [] : publishedLayers(before);
  return layers.find((layer) => layer.snapshot.sha256 === sha256 && isThere(target, layer));
}

function isThere(target: string, { file }: PublishedLayer): boolean {
  return statSync(join(target, file.name), { throwIfNoEntry: false })?.size === file.bytes;
}

/** Compresses the file of a layer into the published folder. */
async function writeLayer(
  path: string,
  info: LayerInfo,
  kind: "snapshot" | "segment",
  target: string,
  onProgress: (progress: { stage: string; done: number; total: number }) => void,
): Promise<PublishedLayer> {
  openLayer(path, info).close();
  const beingWritten = join(target, `${BEING_WRITTEN}-${process.pid}`);
  try {
    const { plain, packed: sha256 } = await compress(path, beingWritten, LEVEL, (done) =>
      onProgress({ stage: "compressing", done, total: info.bytes }),
    );
    if (plain !== info.sha256) {
      throw new DamagedSnapshot(path, "its content is not what was written (SHA-256 differs)");
    }
    const file = { name: fileNameOf(sha256, kind), sha256, bytes: statSync(beingWritten).size };
    syncToDisk(beingWritten);
    renameSync(beingWritten, join(target, file.name));
    const { file: _, ...snapshot } = info;
    return { layout: layoutOf(path, info), snapshot, file };
  } finally {
    rmSync(beingWritten, { force: true });
  }
}

function writeManifest(target: string, manifest: Manifest, privateKey: KeyObject): void {
  writeInPlace(target, MANIFEST_FILE, signManifest(manifest, privateKey), FOR_ALL_MODE);
}

/** The manifest that stands in the folder, if one of the keys signed it; any other is written over. */
function manifestIn(target: string, publicKeys: readonly KeyObject[]): Manifest | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(target, MANIFEST_FILE));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return readManifest(bytes, publicKeys);
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  }
}

/** Whether the folder gives out this snapshot, under a signature of this very key. */
function isPublished(
  target: string,
  before: Manifest,
  current: SnapshotInfo,
  privateKey: KeyObject,
): boolean {
  const text = readFileSync(join(target, MANIFEST_FILE), "utf8");
  return (
    before.snapshot.sha256 === current.sha256 &&
    publishedLayers(before).every((layer) => isThere(target, layer)) &&
    text === signManifest(before, privateKey)
  );
}

function isOfKind(name: string, kind: string, content: string): boolean {
  const parts = DATA_FILE.exec(name);
  return parts?.[1] === kind && parts[2] === content;
}

/** Deletes what was published long ago and what a killed publication left. */
function clearTarget(target: string, current: ReadonlySet<string>): void {
  const names = readdirSync(target);
  const kinds = (["snapshot", "segment"] as const).flatMap((kind) =>
    ["sqlite", "names"].map((content) => ({ kind, content })),
  );
  const earlier = kinds.flatMap(({ kind, content }) =>
    names
      .filter((name) => isOfKind(name, kind, content) && !current.has(name))
      .map((name) => ({ name, writtenMs: statSync(join(target, name)).mtimeMs }))
      .sort((a, b) => b.writtenMs - a.writtenMs)
      .slice(EARLIER_FILES_KEPT[kind])
      .map(({ name }) => name),
  );
  const left = names.filter((name) => name.startsWith(`${BEING_WRITTEN}-`));
  for (const name of [...earlier, ...left]) rmSync(join(target, name), { force: true });
}
