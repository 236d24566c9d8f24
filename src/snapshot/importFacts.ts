import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isKvkNumber } from "../contract/numbers.ts";
import { writeIdentity } from "../search/index/indexFile.ts";
import { type Built, buildSnapshot } from "./build.ts";
import { clearLitter, makeBuildingFolder, readPointer } from "./directory.ts";
import type { OriginInfo, Pointer, SnapshotInfo } from "./info.ts";
import { installSnapshot, readPointerIfWhole } from "./install.ts";
import { takeLock } from "./lock.ts";
import { namesPathOf } from "./names/namesFile.ts";
import { openSnapshot, sha256OfFile } from "./openSnapshot.ts";
import { asRefusal } from "./refusal.ts";
import { lossesOf, WouldShrink } from "./shrinking.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import type { ImportFacts } from "./types.ts";
import { verifyOnce } from "./verified.ts";

/**
 * Builds a snapshot out of `facts` and what is there, checks it and puts it in place; the current one becomes the
 * previous one. Of one origin's facts about a company the newer ones count, on one date the later ones. Without
 * facts nothing is built. Memory stays flat, however many there are.
 *
 * The files of running servers are never touched, and a process killed at any moment leaves the current snapshot as
 * it was; what it leaves beside it goes with the next import. When `facts` throws, nothing has changed.
 *
 * @throws {RegistryBusy} when another import is working in the same folder
 * @throws {RegistryNotWritable} when the folder cannot be written or the disk is full
 * @throws {DamagedSnapshot} when there is a damaged snapshot to add to; `replace` passes over it
 * @throws {WouldShrink} when an origin would lose more than a tenth of its companies and may not
 */
export const importFacts: ImportFacts = async (
  directory,
  facts,
  { replace, onProgress = () => {}, omit = new Set(), mayShrink = true },
) => {
  const lock = takeLock(directory);
  try {
    const pointer = replace ? readPointerIfWhole(directory) : readPointer(directory);
    if (pointer !== "damaged") clearLitter(directory, pointer);
    const known = pointer === "damaged" ? undefined : pointer;
    const base = replace ? undefined : known?.current;
    if (base !== undefined) await verifyOnce(directory, base);
    const folder = makeBuildingFolder(directory);
    try {
      const built = await buildSnapshot({
        folder,
        facts,
        basePath: base === undefined ? undefined : join(directory, base.file),
        omit,
        onProgress,
      });
      if (built === undefined) return { snapshot: undefined, counts: NOTHING, gone: [] };
      const before = known?.current.origins ?? [];
      const { origins } = built.contents;
      // What adds takes nothing away but what must be forgotten.
      if (replace && !mayShrink) {
        refuseToShrink(before, origins, heldOf(omit, directory, known?.current));
      }
      const snapshot = await putInPlace(directory, built, known, onProgress);
      const gone = before.filter(({ origin }) => !origins.some((held) => held.origin === origin));
      return { snapshot, counts: built.counts, gone };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch (error) {
    throw asRefusal(error, directory);
  } finally {
    lock.release();
  }
};

const NOTHING = { new: 0, changed: 0, unchanged: 0, repeated: 0 } as const;

/** How many of some companies a snapshot holds; where it is damaged, as many as it could. */
function heldOf(
  kvkNumbers: ReadonlySet<string>,
  directory: string,
  current: SnapshotInfo | undefined,
): number {
  if (current === undefined || kvkNumbers.size === 0) return 0;
  let snapshot: SnapshotFile | undefined;
  try {
    const opened = openSnapshot(join(directory, current.file), current);
    snapshot = opened;
    const isHeld = (text: string) => isKvkNumber(text) && opened.basic(text) !== undefined;
    return [...kvkNumbers].filter(isHeld).length;
  } catch {
    // What replaces it passes over the damage.
    return kvkNumbers.size;
  } finally {
    snapshot?.close();
  }
}

function refuseToShrink(
  before: readonly OriginInfo[],
  after: readonly OriginInfo[],
  forgotten: number,
): void {
  const losses = lossesOf(before, after, { forgotten });
  if (losses.length === 0) return;
  throw new WouldShrink(
    "This import",
    losses,
    "The registry is as it was. Look whether the file is whole; if it is and that is meant, run it again with --allow-shrink.",
  );
}

async function putInPlace(
  directory: string,
  built: Built,
  pointer: Pointer | undefined,
  onProgress: (progress: { stage: string; done: number }) => void,
): Promise<SnapshotInfo> {
  onProgress({ stage: "checking", done: 0 });
  const sha256 = await sha256OfFile(built.path);
  writeIdentity(namesPathOf(built.path), sha256);
  const bytes = statSync(built.path).size;
  const createdAt = new Date().toISOString();
  return installSnapshot(directory, built.path, { sha256, bytes, ...built.contents, createdAt }, pointer);
}
