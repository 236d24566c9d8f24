import { Worker } from "node:worker_threads";
import { UnusableIndex } from "../../search/index/sections.ts";
import type { LayerPlace } from "../types.ts";
import type { NamesMessage, NamesTask } from "./namesWorker.ts";

/** Reads the stored index of a layer on its own thread. */
export async function readOnThread(
  place: LayerPlace,
  signal: AbortSignal,
): Promise<SharedArrayBuffer | UnusableIndex> {
  const answer = await onThread({ kind: "read", place }, signal);
  if (answer.kind === "index") return answer.index;
  if (answer.kind === "unusable") return new UnusableIndex(answer.reason);
  throw unexpected(answer);
}

/** Runs `hiddenNames` on its own thread. */
export async function hideOnThread(
  indexes: readonly SharedArrayBuffer[],
  signal: AbortSignal,
): Promise<Uint32Array | undefined> {
  const answer = await onThread({ kind: "hide", indexes }, signal);
  if (answer.kind === "hidden") return answer.hidden;
  throw unexpected(answer);
}

function unexpected({ kind }: NamesMessage): Error {
  return new Error(`the thread for the index of names answered ${kind}`);
}

/** @param signal ends the thread @throws (the promise) the error of the thread */
function onThread(task: NamesTask, signal: AbortSignal): Promise<NamesMessage> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<NamesMessage>();
  const worker = new Worker(new URL("./namesWorker.ts", import.meta.url), { workerData: task });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => {
    signal.removeEventListener("abort", end);
    reject(signal.reason ?? new Error("the thread for the index of names ended"));
  });
  return promise;
}
