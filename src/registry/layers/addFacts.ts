import { join } from "node:path";
import { makeOwnFolder } from "../../lib/ownFiles.ts";
import { buildSnapshot } from "../build.ts";
import { clearLitter, writePointer } from "../directory.ts";
import { layeredInfo, layersOf, type Pointer, pointerTo, type SnapshotInfo } from "../info.ts";
import { finishedLayer, installBase, makeCurrent, placeLayer, usable } from "../install.ts";
import { openSnapshot } from "../openSnapshot.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { FactsSource, ImportCounts, ImportProgress, Written } from "../types.ts";
import { joinRows, mergeIntoBase, mergeSegments } from "./mergeLayers.ts";
import { type BuiltSegment, buildSegment } from "./segment.ts";

/** The share of its base that a delta may have; a larger one is merged with it into a new base. */
export const MAX_DELTA_SHARE = 0.1;

export interface AddInput {
  readonly directory: string;
  /** An empty folder to build in; the caller deletes it with all that is in it. */
  readonly folder: string;
  readonly facts: FactsSource;
  readonly pointer: Pointer;
  readonly omit: ReadonlySet<string>;
  readonly maxDeltaShare: number;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface Added {
  readonly snapshot: SnapshotInfo;
  readonly counts: ImportCounts;
  readonly wrote: Written;
}

/**
 * Adds facts to the current snapshot: as a segment, or as a new base where that is to be written anyway: when more than a share of the companies
 * change, and when a file holds a company that must be forgotten.
 * @returns undefined when there are no facts
 */
export async function addFacts(input: AddInput): Promise<Added | undefined> {
  const { directory, folder, facts, pointer, omit, maxDeltaShare, onProgress } = input;
  const snapshot = openSnapshot(directory, pointer.current);
  try {
    const [base] = layersOf(pointer.current);
    const mostChanges = Math.floor((base?.companies ?? 0) * maxDeltaShare);
    if (mostChanges === 0 || snapshot.holdsAny(omit)) return await addToBase(input, snapshot, facts);
    const own = join(folder, "segment");
    makeOwnFolder(own);
    const isMerged = (companies: number) => mergesWith(companies, input) !== "none";
    const building = { folder: own, facts, snapshot, mostChanges, isMerged, onProgress };
    const outcome = await buildSegment(building);
    if (outcome.kind === "no-facts") return undefined;
    if (outcome.kind === "unchanged") {
      forgetPrevious(input);
      return { snapshot: pointer.current, counts: outcome.counts, wrote: "nothing" };
    }
    if (outcome.kind === "segment") return await addSegment(input, snapshot, outcome);
    const added = await addToBase(input, snapshot, outcome.facts);
    if (added === undefined) return undefined;
    const { unchanged, repeated } = outcome.passed();
    const { counts } = added;
    const all = { unchanged: counts.unchanged + unchanged, repeated: counts.repeated + repeated };
    return { ...added, counts: { ...counts, ...all } };
  } finally {
    snapshot.close();
  }
}

/** Deletes the previous snapshot where it holds a company that must be forgotten. */
export function forgetPrevious({
  directory,
  pointer,
  omit,
}: Pick<AddInput, "directory" | "pointer" | "omit">): void {
  if (omit.size === 0 || pointer.previous === undefined) return;
  if (usable(directory, pointer.previous, omit) !== undefined) return;
  const alone = pointerTo(pointer.current, undefined);
  writePointer(directory, alone);
  clearLitter(directory, alone);
}

/** Builds a new base of all layers and the facts. @returns undefined when there are no facts, and there should be some */
export async function addToBase(
  { directory, folder, pointer, omit, onProgress }: Omit<AddInput, "facts" | "maxDeltaShare">,
  snapshot: SnapshotFile,
  facts: FactsSource | undefined,
): Promise<Added | undefined> {
  const [base, ...segments] = pathsOf(snapshot);
  if (base === undefined) throw new RangeError("a snapshot has a base");
  const merging = { folder, interner: snapshot.newestInterner(), onProgress };
  const basePath = segments.length === 0 ? base : joinRows(base, segments, merging);
  const own = join(folder, "base");
  makeOwnFolder(own);
  const built = await buildSnapshot({ folder: own, facts, basePath, omit, onProgress });
  if (built === undefined) return undefined;
  const unplaced = await finishedLayer(built.path, built.contents, built.sha256);
  const current = installBase(directory, built.path, unplaced, pointer, omit);
  return { snapshot: current, counts: built.counts, wrote: "base" };
}

/** Puts changes in place as the delta, merged with the one there is, or as a new base when the delta would grow too large. */
async function addSegment(
  input: AddInput,
  snapshot: SnapshotFile,
  { path, own, together, counts, interner }: BuiltSegment,
): Promise<Added> {
  const { directory, folder, pointer, omit, onProgress } = input;
  const [base] = layersOf(pointer.current);
  const [basePath, ...deltaPaths] = pathsOf(snapshot);
  if (base === undefined || basePath === undefined) throw new RangeError("a snapshot has a base");
  const merges = mergesWith(own.companies, input);
  const paths = [...deltaPaths, path];
  const merging = { folder, interner, onProgress };
  if (merges === "base") {
    const merged = mergeIntoBase(basePath, paths, together, merging);
    onProgress({ stage: "checking", done: 0 });
    const unplaced = await finishedLayer(merged.path, merged.contents);
    const current = installBase(directory, merged.path, unplaced, pointer, omit);
    return { snapshot: current, counts, wrote: "base" };
  }
  const merged = merges === "none" ? { path, contents: own } : mergeSegments(paths, merging);
  onProgress({ stage: "checking", done: 0 });
  const unplaced = await finishedLayer(merged.path, merged.contents);
  const layer = placeLayer(directory, merged.path, "segment", unplaced, pointer);
  const current = layeredInfo([base, layer], together);
  makeCurrent(directory, current, pointer, omit);
  return { snapshot: current, counts, wrote: "segment" };
}

/** Says what changes of so many companies are merged with: the base, the delta above it, or nothing. */
function mergesWith(companies: number, { pointer, maxDeltaShare }: AddInput): "base" | "delta" | "none" {
  const [base, ...deltas] = layersOf(pointer.current);
  const all = deltas.reduce((sum, delta) => sum + delta.companies, companies);
  if (base === undefined || all >= base.companies * maxDeltaShare) return "base";
  return deltas.length === 0 ? "none" : "delta";
}

function pathsOf({ layers }: SnapshotFile): string[] {
  return layers.map(({ place }) => place.path);
}
