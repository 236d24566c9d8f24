import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { UnusableIndex } from "../../search/index/sections.ts";
import { type LayerMarks, marksOf } from "../layers/marks.ts";
import { type ReplacedNumbers, replacedNumbers } from "../layers/replaced.ts";
import { prepareQuery } from "../rows.ts";
import type { LayerPlace } from "../types.ts";
import { makeNames, writeNamesBeside } from "./namesFile.ts";
import { readNames } from "./storedNames.ts";

/**
 * What the thread for indexes is asked. `read`: the index of a file in place; `make`: the same, built of the file's rows; `build`: that of a file
 * which is about to be put in place, beside it; `mark`: what the layers of a snapshot say of one another; `replaced`: which companies segments hold,
 * where their indexes are not there yet.
 */
export type NamesTask =
  | { readonly kind: "read" | "make"; readonly place: LayerPlace }
  | { readonly kind: "build"; readonly path: string; readonly sha256: string }
  | { readonly kind: "mark"; readonly indexes: readonly SharedArrayBuffer[] }
  | { readonly kind: "replaced"; readonly segments: readonly LayerPlace[] };

/** What it answers. */
export type NamesAnswer =
  | { readonly kind: "index"; readonly index: SharedArrayBuffer }
  | { readonly kind: "unusable"; readonly reason: string }
  | { readonly kind: "built" }
  | { readonly kind: "marks"; readonly marks: LayerMarks }
  | { readonly kind: "replaced"; readonly replaced: ReplacedNumbers };

/** What it says meanwhile: of how many companies it read the rows. */
export interface NamesProgress {
  readonly kind: "progress";
  readonly done: number;
}

export function answerTo(task: NamesTask, onProgress: (progress: NamesProgress) => void): NamesAnswer {
  switch (task.kind) {
    case "read":
      return readOrReason(task.place);
    case "make":
      return {
        kind: "index",
        index: makeNames(task.place, (done) => onProgress({ kind: "progress", done })),
      };
    case "build":
      writeNamesBeside(task.path, task.sha256);
      return { kind: "built" };
    case "mark":
      return { kind: "marks", marks: marksOf(task.indexes) };
    case "replaced":
      return { kind: "replaced", replaced: replacedNumbers(task.segments.map(numbersOf)) };
  }
}

function readOrReason(place: LayerPlace): NamesAnswer {
  try {
    return { kind: "index", index: readNames(place) };
  } catch (error) {
    if (error instanceof UnusableIndex) return { kind: "unusable", reason: error.message };
    throw error;
  }
}

function numbersOf({ path }: LayerPlace): Uint32Array {
  const url = pathToFileURL(path);
  url.search = "?mode=ro&immutable=1";
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    const rows = prepareQuery<[number]>(db, "SELECT kvk FROM company ORDER BY kvk");
    return Uint32Array.from(rows.all(), ([kvk]) => kvk);
  } finally {
    db.close();
  }
}
