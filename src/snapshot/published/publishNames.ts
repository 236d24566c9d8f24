import type { KeyObject } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncToDisk, writeInPlace } from "../../lib/inPlace.ts";
import { VERSION } from "../../search/index/sections.ts";
import { type LayerInfo, layersOf, type SnapshotInfo } from "../info.ts";
import { verifyNames } from "../names/namesFile.ts";
import { bytesOfNames, namesPathOf } from "../names/storedNames.ts";
import { compress } from "./compress.ts";
import {
  NAMES_LIST_FILE,
  namesFileNameOf,
  type PublishedNames,
  readNamesList,
  signNamesList,
} from "./namesList.ts";

export interface NamesPublication {
  readonly directory: string;
  readonly target: string;
  readonly privateKey: KeyObject;
  readonly publicKeys: readonly KeyObject[];
  /** Of the list; a web server, which is another user, reads what is published. */
  readonly mode: number;
  /** What is compressed before it has its place. */
  readonly beingWritten: string;
  readonly onProgress: (progress: { stage: string; done: number; total: number }) => void;
}

/** Level 9 makes a file that is 7 % smaller in 3.6 times the time. */
const LEVEL = 3;

/**
 * Publishes the indexes of names of a snapshot's layers, but those that are there already, and the signed list of all that are there. A layer
 * whose index is missing or damaged is left out: nodes build that themselves.
 * @throws what the system says when the folder cannot be written
 */
export async function publishNames(current: SnapshotInfo, options: NamesPublication): Promise<void> {
  const { target, privateKey, publicKeys, mode } = options;
  const path = join(target, NAMES_LIST_FILE);
  const before = existsSync(path) ? readFileSync(path) : undefined;
  const names = [...readNamesList(before, publicKeys)].filter((one) => isThere(target, one));
  for (const [place, layer] of layersOf(current).entries()) {
    if (names.some(({ of, version }) => of === layer.sha256 && version === VERSION)) continue;
    const written = await writeNames(layer, place === 0 ? "snapshot" : "segment", options);
    if (written !== undefined) names.push(written);
  }
  const text = signNamesList(names, privateKey);
  if (text !== before?.toString("utf8")) writeInPlace(target, NAMES_LIST_FILE, text, mode);
}

function isThere(target: string, { file }: PublishedNames): boolean {
  return statSync(join(target, file.name), { throwIfNoEntry: false })?.size === file.bytes;
}

async function writeNames(
  info: LayerInfo,
  kind: "snapshot" | "segment",
  { directory, target, beingWritten, onProgress }: NamesPublication,
): Promise<PublishedNames | undefined> {
  const path = join(directory, info.file);
  const bytes = bytesOfNames({ path, info });
  if (bytes === 0 || (await verifyNames(path, info.sha256)) !== undefined) return undefined;
  try {
    const { plain, packed } = await compress(namesPathOf(path), beingWritten, LEVEL, (done) =>
      onProgress({ stage: "compressing names", done, total: bytes }),
    );
    const file = { name: namesFileNameOf(packed, kind), sha256: packed, bytes: statSync(beingWritten).size };
    syncToDisk(beingWritten);
    renameSync(beingWritten, join(target, file.name));
    return { of: info.sha256, version: VERSION, bytes, sha256: plain, file };
  } finally {
    rmSync(beingWritten, { force: true });
  }
}
