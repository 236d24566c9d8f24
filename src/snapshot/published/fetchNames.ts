import { rmSync } from "node:fs";
import { VERSION } from "../../search/index/sections.ts";
import { verifyNames } from "../names/namesFile.ts";
import { namesPathOf } from "../names/storedNames.ts";
import { download } from "./download.ts";
import { expand } from "./expand.ts";
import { FetchFailure } from "./failure.ts";
import { type PublishedNames, readNamesList } from "./namesList.ts";
import { type FetchOptions, PATIENCE } from "./source.ts";

/**
 * The published indexes that this program reads and may hold, by the SHA-256 of the file that each was built of. A publisher whose list does not come, or
 * cannot be believed, has none: no snapshot waits for what can be built.
 */
export async function usableNames(
  { source, publicKeys, maxBytes }: FetchOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PublishedNames>> {
  const list = await source.namesList(signal).catch((error: unknown) => {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  });
  const names = readNamesList(list, publicKeys);
  const usable = names.filter(
    ({ version, bytes, file }) => version === VERSION && Math.max(bytes, file.bytes) <= maxBytes,
  );
  return new Map(usable.map((one) => [one.of, one]));
}

/**
 * Downloads and unpacks the index of a layer beside its file, and verifies it. A cut download is gone on with by the next round, as the layer's own.
 * @param packed where it is downloaded to
 * @returns false when what is published is of no use: then it is to be built
 * @throws {FetchFailure} (the promise) when it does not come now
 */
export async function fetchNames(
  names: PublishedNames,
  path: string,
  packed: string,
  { source, patience = PATIENCE, onProgress = () => {} }: FetchOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { file, bytes } = names;
  const namesPath = namesPathOf(path);
  try {
    const received = (done: number) => onProgress({ stage: "downloading names", done, total: file.bytes });
    await download({ source, file, path: packed, withinMs: patience.downloadMs, signal, onBytes: received });
    const unpacked = (done: number) => onProgress({ stage: "unpacking names", done, total: bytes });
    await expand(packed, namesPath, names, { signal, onBytes: unpacked });
    return (await verifyNames(path, names.of, signal)) === undefined;
  } catch (error) {
    unlessRefused(error);
    rmSync(packed, { force: true });
    rmSync(namesPath, { force: true });
    return false;
  }
}

/** What a publisher gives out is something else than was asked for, and will be the next time. @throws any other error */
function unlessRefused(error: unknown): undefined {
  const isRefused = error instanceof FetchFailure && ["answer", "content", "manifest"].includes(error.kind);
  if (!isRefused) throw error;
}
