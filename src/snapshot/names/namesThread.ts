import { Worker } from "node:worker_threads";
import { type LayerMarks, marksOf } from "../layers/marks.ts";
import type { LoadedNames } from "../snapshotFile.ts";
import type { LayerPlace } from "../types.ts";
import { type NamesAnswer, type NamesTask, readNamesUpTo } from "./namesFile.ts";

/** What is no larger is read faster than a thread starts, and holds nobody up. */
const READ_HERE_BYTES = 8 << 20;

/**
 * What finding names in a snapshot takes; whatever is large is made off this thread.
 * @param held indexes that are loaded already, by their files
 * @throws (the promise) when it cannot be
 */
export async function loadLayers(
  places: readonly LayerPlace[],
  held: ReadonlyMap<string, SharedArrayBuffer>,
): Promise<LoadedNames> {
  const indexes: SharedArrayBuffer[] = [];
  for (const place of places) indexes.push(held.get(place.info.file) ?? (await loadNames(place)));
  return { indexes, marks: await marksFor(indexes) };
}

async function marksFor(indexes: readonly SharedArrayBuffer[]): Promise<LayerMarks> {
  const bytes = indexes.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (indexes.length === 1 || bytes <= READ_HERE_BYTES) return marksOf(indexes);
  const marks = await onThread({ kind: "mark", indexes });
  if (typeof marks === "object" && !(marks instanceof SharedArrayBuffer)) return marks;
  throw new Error("the thread for the index of names gave no marks");
}

/**
 * The index of names of a snapshot's file; a large one is read, and one that is not there built, on a thread of its own.
 * @throws (the promise) when it cannot be
 */
async function loadNames(place: LayerPlace): Promise<SharedArrayBuffer> {
  const small = readNamesUpTo(place, READ_HERE_BYTES);
  if (small !== undefined) return small;
  const loaded = await onThread({ kind: "load", place });
  if (loaded instanceof SharedArrayBuffer) return loaded;
  throw new Error("the thread that loads the index of names gave none");
}

/** Builds the index of a snapshot's file and writes it beside that, on a thread of its own. */
export async function buildNames(path: string, sha256: string): Promise<void> {
  await onThread({ kind: "build", path, sha256 });
}

function onThread(task: NamesTask): Promise<NamesAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<NamesAnswer>();
  const worker = new Worker(new URL("./namesWorker.ts", import.meta.url), { workerData: task });
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the thread for the index of names ended")));
  return promise;
}
