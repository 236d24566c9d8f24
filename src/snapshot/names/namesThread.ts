import { Worker } from "node:worker_threads";
import type { SnapshotPlace } from "../types.ts";
import { type NamesTask, readNamesUpTo } from "./namesFile.ts";

/** What is no larger is read faster than a thread starts, and holds nobody up. */
const READ_HERE_BYTES = 8 << 20;

/**
 * The index of names of a snapshot; a large one is read, and one that is not there built, on a thread of its own.
 * @throws (the promise) when it cannot be
 */
export async function loadNames(place: SnapshotPlace): Promise<SharedArrayBuffer> {
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

function onThread(task: NamesTask): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const worker = new Worker(new URL("./namesWorker.ts", import.meta.url), { workerData: task });
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the thread for the index of names ended")));
  return promise;
}
