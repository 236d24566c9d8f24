import { changeRegistry, inBuildingFolder } from "../changing.ts";
import { DamagedSnapshot } from "../damaged.ts";
import { clearLitter, readPointer, writePointer } from "../directory.ts";
import {
  type Contents,
  type LayerInfo,
  layeredInfo,
  type OriginInfo,
  type Pointer,
  pointerTo,
  type SnapshotInfo,
} from "../info.ts";
import { finishedLayer, placeLayer, usable } from "../install.ts";
import type { LayerFile } from "../layers/layerFile.ts";
import { openSnapshot } from "../openSnapshot.ts";
import type { SnapshotFile } from "../snapshotFile.ts";
import type { ImportProgress } from "../types.ts";
import { verifyOnce } from "../verified.ts";
import { type Leaving, type StaleRow, staleRows } from "./staleRows.ts";
import { withoutRows } from "./withoutRows.ts";

/** What was done to a registry. */
export interface Withdrawn {
  /** Files that were written anew, or left out as nothing was left in them. */
  readonly files: number;
  /** Companies of the current snapshot that are in it no more. */
  readonly companies: number;
}

/**
 * Takes out of a registry what has to leave it: each layer that holds some of it, of the current snapshot and of the one to go back to, is written anew without. A
 * process that is killed meanwhile leaves both as they were. Nothing is written when there is nothing to take out.
 * @throws {RegistryBusy} while an import is at work
 * @throws {DamagedSnapshot} when the current snapshot is damaged
 * @throws {RegistryNotWritable}
 */
export async function withdraw(directory: string, leaving: Leaving): Promise<Withdrawn> {
  return changeRegistry(directory, async () => {
    const pointer = readPointer(directory);
    if (pointer === undefined) return NOTHING;
    clearLitter(directory, pointer, { keepsDownload: true });
    return inBuildingFolder(directory, (folder) => withdrawFrom(directory, folder, pointer, leaving));
  });
}

const NOTHING: Withdrawn = { files: 0, companies: 0 };

async function withdrawFrom(
  directory: string,
  folder: () => string,
  pointer: Pointer,
  leaving: Leaving,
): Promise<Withdrawn> {
  const rewriting = new Rewriting(directory, folder, pointer, leaving);
  const current = await rewriting.snapshot(pointer.current);
  const previous = await previousOf(rewriting, usable(directory, pointer.previous));
  if (rewriting.files === 0) return NOTHING;
  const isSame = previous?.sha256 === current.sha256;
  const next = pointerTo(current, isSame ? undefined : previous);
  writePointer(directory, next);
  clearLitter(directory, next, { keepsDownload: true });
  return { files: rewriting.files, companies: pointer.current.companies - current.companies };
}

/** The snapshot to go back to without what leaves it; one that is damaged is given up, as nobody can tell what it holds. */
async function previousOf(
  rewriting: Rewriting,
  info: SnapshotInfo | undefined,
): Promise<SnapshotInfo | undefined> {
  try {
    return info && (await rewriting.snapshot(info));
  } catch (error) {
    if (error instanceof DamagedSnapshot) return undefined;
    throw error;
  }
}

/** The layers of both snapshots of a pointer, each written anew once. */
class Rewriting {
  readonly #directory: string;
  readonly #folder: () => string;
  readonly #pointer: Pointer;
  readonly #leaving: Leaving;
  /** What is in the place of each file; undefined where nothing was left. */
  readonly #done = new Map<string, Rewritten>();
  files = 0;

  constructor(directory: string, folder: () => string, pointer: Pointer, leaving: Leaving) {
    this.#directory = directory;
    this.#folder = folder;
    this.#pointer = pointer;
    this.#leaving = leaving;
  }

  /** What is said of a snapshot without what leaves it. */
  async snapshot(info: SnapshotInfo): Promise<SnapshotInfo> {
    const opened = openSnapshot(this.#directory, info);
    try {
      const layers: (Rewritten & { readonly file: LayerFile })[] = [];
      for (const file of opened.layers) layers.push({ file, ...(await this.#layer(file)) });
      if (layers.every(({ stale }) => stale.size === 0)) return info;
      const [base, ...segments] = layers.flatMap(({ placed }) => (placed === undefined ? [] : [placed]));
      if (base === undefined) throw new RangeError("a snapshot has a base");
      return layeredInfo([base, ...segments], contentsWithout(opened, layers));
    } finally {
      opened.close();
    }
  }

  async #layer(layer: LayerFile): Promise<Rewritten> {
    const known = this.#done.get(layer.info.file);
    if (known !== undefined) return known;
    const stale = staleRows(layer, this.#leaving);
    const placed = stale.size === 0 ? layer.info : await this.#written(layer, stale);
    if (placed !== layer.info) this.files++;
    const rewritten = { stale, placed };
    this.#done.set(layer.info.file, rewritten);
    return rewritten;
  }

  async #written(layer: LayerFile, stale: ReadonlyMap<number, StaleRow>): Promise<LayerInfo | undefined> {
    const { path, info } = layer.place;
    // What is damaged must not get a checksum that says it is whole.
    await verifyOnce(this.#directory, info);
    const input = { folder: this.#folder(), interner: layer.interner(), onProgress: untold };
    const { path: written, contents } = withoutRows(path, stale, `without-${this.#done.size}`, input);
    const isBase = info.file.startsWith("snapshot");
    if (contents.companies === 0 && !isBase) return undefined;
    const unplaced = await finishedLayer(written, contents);
    return placeLayer(this.#directory, written, isBase ? "snapshot" : "segment", unplaced, this.#pointer);
  }
}

/** A layer and what stands in its place. */
interface Rewritten {
  readonly stale: ReadonlyMap<number, StaleRow>;
  readonly placed: LayerInfo | undefined;
}

const untold = (_progress: ImportProgress) => {};

/** What a snapshot holds without what leaves it: less what its layers say of companies that they speak for. */
function contentsWithout(
  snapshot: SnapshotFile,
  layers: readonly (Rewritten & { readonly file: LayerFile })[],
): Contents {
  let { companies, branches } = snapshot.info;
  const counts = new Map(snapshot.info.origins.map(({ origin, companies: count }) => [origin, count]));
  const interner = snapshot.newestInterner();
  for (const { file, stale } of layers) {
    for (const [kvk, { before, after }] of stale) {
      if (!snapshot.isSpokenFor(kvk, file)) continue;
      if (after === undefined) companies--;
      branches += branchesIn(after) - branchesIn(before);
      for (const [held, one] of [
        [before, -1],
        [after, 1],
      ] as const) {
        for (const row of held?.byOrigin ?? []) {
          const origin = interner.originName(row[10]);
          counts.set(origin, (counts.get(origin) ?? 0) + one);
        }
      }
    }
  }
  const origins = [...counts].flatMap(([origin, count]): OriginInfo[] => {
    const dates = layers.flatMap(
      ({ placed }) => placed?.origins.find((one) => one.origin === origin)?.asOf ?? [],
    );
    const asOf = dates.sort().at(-1);
    return count === 0 || asOf === undefined ? [] : [{ origin, companies: count, asOf }];
  });
  return { companies, branches, origins };
}

function branchesIn(held: StaleRow["after"]): number {
  const json = held?.company[13] ?? null;
  const listed: unknown = json === null ? [] : JSON.parse(json);
  return Array.isArray(listed) ? listed.length : 0;
}
