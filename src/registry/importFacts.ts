import { isKvkNumber } from "../contract/numbers.ts";
import { buildLayer } from "./build.ts";
import { deleteLeftovers, readPointer } from "./directory.ts";
import type { OriginInfo, Pointer, SnapshotInfo } from "./info.ts";
import { forgetPrevious, installLayer, readPointerIfWhole } from "./install.ts";
import { changeRegistry, inBuildingFolder } from "./lock.ts";
import { openSnapshot } from "./openSnapshot.ts";
import { lossesOf, ShrinkRefused } from "./shrinkGuard.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import type { FactsSource, ImportCounts, ImportFacts, ImportOptions, Written } from "./types.ts";
import { verifyOnce } from "./verified.ts";

/** The maximum size of a delta as a share of its base. Larger changes create a new base. */
const MAX_DELTA_SHARE = 0.1;
const NOTHING = { new: 0, changed: 0, unchanged: 0, repeated: 0 } as const;

/**
 * Builds a snapshot from `facts` and the current one, checks it and installs it. The current one becomes the previous
 * one, unless it contains a company that must be forgotten. Few changes are written as a delta on the current base (a
 * `segment`), many as a new base, none as nothing. If one origin has several facts about a company, the newest win, or
 * the last read if their dates are equal. Memory use is constant.
 *
 * Never touches files that servers have open. A kill at any moment leaves the current snapshot intact; the next import
 * deletes leftovers. When `facts` throws, nothing has changed.
 *
 * @throws {RegistryBusy} while another import runs in the same folder
 * @throws {RegistryNotWritable} when the folder cannot be written or the disk is full
 * @throws {DamagedSnapshot} when the snapshot to add to is damaged; `replace` ignores that
 * @throws {ShrinkRefused} if an origin would lose more than a tenth of its companies and `mayShrink` is not set
 */
export const importFacts: ImportFacts = (directory, facts, options) =>
  changeRegistry(directory, async () => {
    const found = options.replace ? readPointerIfWhole(directory) : readPointer(directory);
    if (found !== "damaged") deleteLeftovers(directory, found);
    const pointer = found === "damaged" ? undefined : found;
    const added = await add(directory, pointer, allowedFacts(facts, options), options);
    if (added === undefined) return { snapshot: undefined, counts: NOTHING, wrote: "nothing", gone: [] };
    const { origins } = added.snapshot;
    const before = pointer?.current.origins ?? [];
    const gone = before.filter(({ origin }) => !origins.some((after) => after.origin === origin));
    return { ...added, gone };
  });

/** Skips facts that must not be in the registry. */
function allowedFacts(facts: FactsSource, { omit, onOmitted }: ImportOptions): FactsSource {
  if (omit === undefined || omit.size === 0) return facts;
  return (async function* () {
    for await (const one of facts) {
      if (omit.has(one.facts.kvkNumber)) onOmitted?.();
      else yield one;
    }
  })();
}

interface Added {
  readonly snapshot: SnapshotInfo;
  readonly counts: ImportCounts;
  readonly wrote: Written;
}

/** @param pointer the snapshot to add to or replace; undefined if there is none, or a damaged one is replaced */
async function add(
  directory: string,
  pointer: Pointer | undefined,
  facts: FactsSource,
  options: ImportOptions,
): Promise<Added | undefined> {
  const { replace, omit = new Set(), maxDeltaShare = MAX_DELTA_SHARE, onProgress = () => {} } = options;
  let current: SnapshotFile | undefined;
  if (pointer !== undefined && !replace) {
    await verifyOnce(directory, pointer.current);
    current = openSnapshot(directory, pointer.current);
  }
  try {
    return await inBuildingFolder(directory, async (folder) => {
      const { onRepeated } = options;
      const built = await buildLayer({ folder, facts, current, omit, maxDeltaShare, onProgress, onRepeated });
      if (built === undefined) return undefined;
      const { counts } = built;
      if (built.kind === "nothing") {
        if (pointer === undefined) return undefined;
        forgetPrevious(directory, pointer, omit);
        return { snapshot: pointer.current, counts, wrote: "nothing" };
      }
      if (replace && options.mayShrink === false)
        refuseToShrink(directory, pointer?.current, built.info.origins, omit);
      const snapshot = installLayer(directory, built, pointer, omit);
      return { snapshot, counts, wrote: built.kind === "base" ? "base" : "segment" };
    });
  } finally {
    current?.close();
  }
}

function refuseToShrink(
  directory: string,
  current: SnapshotInfo | undefined,
  after: readonly OriginInfo[],
  omit: ReadonlySet<string>,
): void {
  const forgotten = countContained(omit, directory, current);
  const losses = lossesOf(current?.origins ?? [], after, { forgotten });
  if (losses.length === 0) return;
  throw new ShrinkRefused(
    "This import",
    losses,
    "The registry is as it was. Check that the file is complete; if it is, and this is meant, run the import again with --allow-shrink.",
  );
}

/** Counts how many of these companies the snapshot contains; all of them if it is damaged. */
function countContained(
  kvkNumbers: ReadonlySet<string>,
  directory: string,
  current: SnapshotInfo | undefined,
): number {
  if (current === undefined || kvkNumbers.size === 0) return 0;
  let snapshot: SnapshotFile | undefined;
  try {
    const opened = openSnapshot(directory, current);
    snapshot = opened;
    const isContained = (text: string) => isKvkNumber(text) && opened.basic(text) !== undefined;
    return [...kvkNumbers].filter(isContained).length;
  } catch {
    return kvkNumbers.size;
  } finally {
    snapshot?.close();
  }
}
