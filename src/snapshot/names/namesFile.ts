import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { threadId } from "node:worker_threads";
import { readIndexFile, writeIdentity, writeIndexFile } from "../../search/index/indexFile.ts";
import { joinPieces, layOut, type SectionList, UnusableIndex } from "../../search/index/sections.ts";
import { syncToDisk } from "../directory.ts";
import { Interner } from "../interning.ts";
import { type LayerMarks, marksOf } from "../layers/marks.ts";
import type { LayerPlace } from "../types.ts";
import { indexRows } from "./indexRows.ts";

/** What the thread for indexes is asked: the index of a file in place, that of one which is about to be put there, or marks. */
export type NamesTask =
  | { readonly kind: "load"; readonly place: LayerPlace }
  | { readonly kind: "build"; readonly path: string; readonly sha256: string }
  | { readonly kind: "mark"; readonly indexes: readonly SharedArrayBuffer[] };

/** What it answers to each. */
export type NamesAnswer = SharedArrayBuffer | LayerMarks | undefined;

export function answerTo(task: NamesTask): NamesAnswer {
  if (task.kind === "load") return namesOf(task.place);
  if (task.kind === "mark") return marksOf(task.indexes);
  return writeNamesBeside(task.path, task.sha256);
}

/** What the thread that indexes while an import reads is told: companies as JSON, or where the index is to be written. */
export type IndexingTask = { readonly companies: string } | { readonly path: string };

/** Where the index of names of a snapshot's file is. */
export function namesPathOf(snapshotPath: string): string {
  return snapshotPath.replace(/\.sqlite$/, ".names");
}

/** The index of a snapshot: from the file beside it, else built of its rows and, where that is possible, written there. */
export function namesOf(place: LayerPlace): SharedArrayBuffer {
  const there = readNamesUpTo(place, Number.POSITIVE_INFINITY);
  if (there !== undefined) return there;
  const sections = indexFile(place.path);
  keep(namesPathOf(place.path), sections, place.info.sha256);
  return joinPieces(layOut(sections));
}

/** The index of a snapshot from the file beside it; undefined when it has more bytes than these, or cannot be used. */
export function readNamesUpTo({ path, info }: LayerPlace, mostBytes: number): SharedArrayBuffer | undefined {
  const namesPath = namesPathOf(path);
  if ((statSync(namesPath, { throwIfNoEntry: false })?.size ?? 0) > mostBytes) return undefined;
  try {
    return readIndexFile(namesPath, info.sha256);
  } catch (error) {
    if (error instanceof UnusableIndex) return undefined;
    throw error;
  }
}

/** Builds the index of a snapshot that is about to be put in place, and writes it beside it. */
function writeNamesBeside(snapshotPath: string, sha256: string): undefined {
  const path = namesPathOf(snapshotPath);
  writeIndexFile(path, indexFile(snapshotPath));
  writeIdentity(path, sha256);
}

/** Moves the index of a snapshot together with it; one that is not there is built where it is needed. */
export function moveNames(from: string, to: string): void {
  const path = namesPathOf(from);
  if (!existsSync(path)) return;
  syncToDisk(path);
  renameSync(path, namesPathOf(to));
}

function indexFile(snapshotPath: string): SectionList {
  const url = pathToFileURL(snapshotPath);
  url.search = "?mode=ro&immutable=1";
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    return indexRows(db, Interner.of(db));
  } finally {
    db.close();
  }
}

/** Whoever may not write there, or has no room, builds it again the next time. */
function keep(path: string, sections: SectionList, sha256: string): void {
  const beingWritten = `${path}.${process.pid}-${threadId}.new`;
  try {
    writeIndexFile(beingWritten, sections);
    writeIdentity(beingWritten, sha256);
    syncToDisk(beingWritten);
    renameSync(beingWritten, path);
  } catch {
    rmSync(beingWritten, { force: true });
  }
}
