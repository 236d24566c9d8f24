import { isKvkNumber } from "../contract/numbers.ts";
import { buildSnapshot } from "./build.ts";
import { changeRegistry, inBuildingFolder } from "./changing.ts";
import { clearLitter, readPointer } from "./directory.ts";
import type { OriginInfo, Pointer, SnapshotInfo } from "./info.ts";
import { finishedLayer, installBase, readPointerIfWhole } from "./install.ts";
import { type Added, type AddInput, addFacts, MAX_DELTA_SHARE } from "./layers/addFacts.ts";
import { openSnapshot } from "./openSnapshot.ts";
import { lossesOf, WouldShrink } from "./shrinking.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import type { FactsSource, ImportFacts, ImportOptions } from "./types.ts";
import { verifyOnce } from "./verified.ts";

/**
 * Makes a snapshot out of `facts` and what is there, checks it and puts it in place; the current one becomes the
 * previous one, unless it holds a company that must be forgotten. What is added to a large snapshot is a segment, and nothing is written where nothing changes. Of one origin's facts about a company the newer ones count, on one date the later ones. Without
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
export const importFacts: ImportFacts = (directory, facts, options) =>
  changeRegistry(directory, async () => {
    const pointer = options.replace ? readPointerIfWhole(directory) : readPointer(directory);
    if (pointer !== "damaged") clearLitter(directory, pointer);
    const known = pointer === "damaged" ? undefined : pointer;
    const before = known?.current.origins ?? [];
    const allowed = allowedFacts(facts, options);
    const added = await inBuildingFolder(directory, (folder) =>
      add(directory, folder(), known, allowed, options),
    );
    if (added === undefined) return { snapshot: undefined, counts: NOTHING, wrote: "nothing", gone: [] };
    const { origins } = added.snapshot;
    return {
      ...added,
      gone: before.filter(({ origin }) => !origins.some((held) => held.origin === origin)),
    };
  });

/** The facts without those that may not be in the registry. */
function allowedFacts(facts: FactsSource, { omit, onOmitted }: ImportOptions): FactsSource {
  if (omit === undefined || omit.size === 0) return facts;
  return (async function* () {
    for await (const one of facts) {
      if (omit.has(one.facts.kvkNumber)) onOmitted?.();
      else yield one;
    }
  })();
}

/** @param known what there is to add to, or to replace; undefined also where it is damaged and replaced */
async function add(
  directory: string,
  folder: string,
  known: Pointer | undefined,
  facts: FactsSource,
  {
    replace,
    onProgress = () => {},
    omit = new Set(),
    mayShrink = true,
    maxDeltaShare = MAX_DELTA_SHARE,
  }: ImportOptions,
): Promise<Added | undefined> {
  if (replace || known === undefined) {
    // What adds takes nothing away but what must be forgotten.
    const check = (origins: readonly OriginInfo[]) => {
      if (!replace || mayShrink) return;
      const before = known?.current.origins ?? [];
      refuseToShrink(before, origins, heldOf(omit, directory, known?.current));
    };
    return startAfresh({ directory, folder, facts, pointer: known, omit, onProgress, check });
  }
  await verifyOnce(directory, known.current);
  return addFacts({ directory, folder, facts, pointer: known, omit, maxDeltaShare, onProgress });
}

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
    const opened = openSnapshot(directory, current);
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

interface AfreshInput extends Omit<AddInput, "pointer" | "maxDeltaShare"> {
  readonly pointer: Pointer | undefined;
  /** Throws when the new snapshot may not be put in place. */
  readonly check: (origins: readonly OriginInfo[]) => void;
}

async function startAfresh(input: AfreshInput): Promise<Added | undefined> {
  const { directory, folder, facts, pointer, omit, onProgress, check } = input;
  const built = await buildSnapshot({ folder, facts, basePath: undefined, omit, onProgress });
  if (built === undefined) return undefined;
  check(built.contents.origins);
  const unplaced = await finishedLayer(built.path, built.contents, built.sha256);
  const snapshot = installBase(directory, built.path, unplaced, pointer, omit);
  return { snapshot, counts: built.counts, wrote: "base" };
}
