/** The thread that reads a name index. */
import { parentPort, workerData } from "node:worker_threads";
import { UnusableIndex } from "../../search/index/sections.ts";
import type { LayerPlace } from "../types.ts";
import { hiddenNames } from "./hiddenNames.ts";
import { readNames } from "./storedNames.ts";

/** `read`: read the stored index of a layer; `hide`: mark the names of a base that its delta replaces. */
export type NamesTask =
  | { readonly kind: "read"; readonly place: LayerPlace }
  | { readonly kind: "hide"; readonly indexes: readonly SharedArrayBuffer[] };

/** The result of a task. */
export type NamesMessage =
  | { readonly kind: "index"; readonly index: SharedArrayBuffer }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "hidden"; readonly hidden: Uint32Array | undefined };

function answerTo(task: NamesTask): NamesMessage {
  if (task.kind === "hide") return { kind: "hidden", hidden: hiddenNames(task.indexes) };
  try {
    return { kind: "index", index: readNames(task.place) };
  } catch (error) {
    if (error instanceof UnusableIndex) return { kind: "unusable", reason: error.message };
    throw error;
  }
}

const task: NamesTask = workerData;
parentPort?.postMessage(answerTo(task));
