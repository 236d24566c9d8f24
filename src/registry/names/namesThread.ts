import { Worker } from "node:worker_threads";
import type { LayerPlace } from "../types.ts";
import type { NamesAnswer, NamesProgress, NamesTask } from "./namesTask.ts";

/** Builds the index of a file that is about to be put in place and writes it beside that, on a thread of its own. */
export async function buildNames(path: string, sha256: string, signal?: AbortSignal): Promise<void> {
  await onThread({ kind: "build", path, sha256 }, "built", signal);
}

/** Builds the index of a file in place, where there is none that can be used, and puts it in place too. @param onCompanies told of how many the rows were read */
export async function rebuildNames(place: LayerPlace, onCompanies: (done: number) => void): Promise<void> {
  await onThread({ kind: "make", place }, "index", undefined, onCompanies);
}

/**
 * Has a thread of its own do something with an index of names.
 * @param signal ends the thread, and with it what it was at
 * @throws (the promise) what went wrong there
 */
export async function onThread<Kind extends NamesAnswer["kind"]>(
  task: NamesTask,
  kind: Kind,
  signal?: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<Extract<NamesAnswer, { readonly kind: Kind }>> {
  const answer = await answerOfThread(task, signal, onProgress);
  if (isOfKind(answer, kind)) return answer;
  throw new Error(`the thread for the index of names answered ${answer.kind} where ${kind} was asked`);
}

/** The same where it may give one of several answers. */
export function answerOfThread(
  task: NamesTask,
  signal: AbortSignal | undefined,
  onProgress: (done: number) => void = () => {},
): Promise<NamesAnswer> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<NamesAnswer>();
  const worker = new Worker(new URL("./namesWorker.ts", import.meta.url), { workerData: task });
  const end = () => void worker.terminate();
  signal?.addEventListener("abort", end, { once: true });
  worker.on("message", (message: NamesAnswer | NamesProgress) => {
    if (message.kind === "progress") onProgress(message.done);
    else resolve(message);
  });
  worker.once("error", reject);
  worker.once("exit", () => {
    signal?.removeEventListener("abort", end);
    reject(signal?.reason ?? new Error("the thread for the index of names ended"));
  });
  return promise;
}

function isOfKind<Kind extends NamesAnswer["kind"]>(
  answer: NamesAnswer,
  kind: Kind,
): answer is Extract<NamesAnswer, { readonly kind: Kind }> {
  return answer.kind === kind;
}
