/** The thread that reads or builds a name index. */
import { parentPort, workerData } from "node:worker_threads";
import { UnusableIndex } from "../../search/index/sections.ts";
import type { LayerPlace } from "../types.ts";
import { hiddenNames } from "./hiddenNames.ts";
import { buildNames } from "./namesFile.ts";
import { readNames } from "./storedNames.ts";

/** `read`: read the stored index of a layer; `make`: also build it if it cannot be used; `hide`: mark the names of a base that its delta replaces. */
export type NamesTask =
  | { readonly kind: "read" | "make"; readonly place: LayerPlace }
  | { readonly kind: "hide"; readonly indexes: readonly SharedArrayBuffer[] };

/** The result of a task, or progress: the number of companies read. */
export type NamesMessage =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "index"; readonly index: SharedArrayBuffer }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "hidden"; readonly hidden: Uint32Array | undefined };

function answerTo(task: NamesTask): NamesMessage {
  if (task.kind === "hide") return { kind: "hidden", hidden: hiddenNames(task.indexes) };
  if (task.kind === "make") {
    const index = buildNames(task.place, (done) => send({ kind: "progress", done }));
    return { kind: "index", index };
  }
  try {
    return { kind: "index", index: readNames(task.place) };
  } catch (error) {
    if (error instanceof UnusableIndex) return { kind: "unusable", reason: error.message };
    throw error;
  }
}

const send = (message: NamesMessage) => parentPort?.postMessage(message);
const task: NamesTask = workerData;
send(answerTo(task));
