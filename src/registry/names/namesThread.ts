import { Worker } from "node:worker_threads";
import { WorkerClient } from "../../lib/workerClient.ts";
import { UnusableIndex } from "../../search/index/sections.ts";
import type { LayerPlace } from "../types.ts";
import type { NamesServed } from "./namesWorker.ts";

/** Reads the stored index of a layer on its own thread. */
export async function readOnThread(
  place: LayerPlace,
  signal: AbortSignal,
): Promise<SharedArrayBuffer | UnusableIndex> {
  const read = await onThread((thread) => thread.call("read", place), signal);
  return typeof read === "string" ? new UnusableIndex(read) : read;
}

/** Runs `hiddenNames` on its own thread. */
export function hideOnThread(
  indexes: readonly SharedArrayBuffer[],
  signal: AbortSignal,
): Promise<Uint32Array | undefined> {
  return onThread((thread) => thread.call("hide", indexes), signal);
}

/** @param signal ends the thread @throws (the promise) the error of the thread */
async function onThread<Result>(
  work: (thread: WorkerClient<NamesServed>) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./namesWorker.ts", import.meta.url));
  const thread = new WorkerClient<NamesServed>(worker, "for the index of names");
  const end = () => void thread.end();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await work(thread);
  } catch (error) {
    throw signal.reason ?? error;
  } finally {
    signal.removeEventListener("abort", end);
    await thread.end();
  }
}
