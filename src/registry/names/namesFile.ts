import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import type { Lock } from "../../lib/fileLock.ts";
import { syncToDisk } from "../../lib/inPlace.ts";
import { verifyIndexFile, writeIdentity, writeIndexFile } from "../../search/index/indexFile.ts";
import {
  concatPieces,
  type SectionList,
  serialiseSections,
  UnusableIndex,
} from "../../search/index/sections.ts";
import { Interner } from "../interning.ts";
import { RegistryBusy, takeNamesLock } from "../lock.ts";
import { RegistryNotWritable } from "../refusal.ts";
import { openReadOnly } from "../rows.ts";
import type { LayerPlace } from "../types.ts";
import { forgetNote, identityOf, note } from "../verifiedNote.ts";
import { indexRows } from "./indexRows.ts";
import { namesPathOf, readNames } from "./storedNames.ts";

/** How often to check whether another process has built the index. */
const LOOK_AGAIN_MS = 1_000;

/** Reads the stored index of a layer, or builds it from the rows and stores it if possible. */
export function readOrBuildNames(place: LayerPlace): SharedArrayBuffer {
  try {
    return readNames(place);
  } catch (error) {
    if (!(error instanceof UnusableIndex)) throw error;
    return buildNames(place);
  }
}

/**
 * Builds the index of a layer from its rows and stores it. Waits for another process that builds one. If it cannot be stored, it is built again
 * next time.
 * @param onCompanies called periodically with the number of companies read
 */
export function buildNames(
  place: LayerPlace,
  onCompanies: (done: number) => void = () => {},
): SharedArrayBuffer {
  const lock = waitForLock(dirname(place.path));
  try {
    // Another process may have built it in the meantime.
    const made = readIfUsable(place);
    if (made !== undefined) return made;
    const sections = indexFile(place.path, onCompanies);
    keep(place, sections);
    return concatPieces(serialiseSections(sections));
  } finally {
    lock?.release();
  }
}

function readIfUsable(place: LayerPlace): SharedArrayBuffer | undefined {
  try {
    return readNames(place);
  } catch (error) {
    if (error instanceof UnusableIndex) return undefined;
    throw error;
  }
}

/** @returns undefined if the folder cannot be written */
function waitForLock(directory: string): Lock | undefined {
  for (;;) {
    try {
      return takeNamesLock(directory);
    } catch (error) {
      if (error instanceof RegistryNotWritable) return undefined;
      if (!(error instanceof RegistryBusy)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
}

/** Verifies the index of a finished layer. Deletes a damaged one, which is rebuilt on demand. @returns the fault, or undefined */
export async function verifyNames(
  snapshotPath: string,
  sha256: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const path = namesPathOf(snapshotPath);
  const identity = identityOf(path, sha256);
  try {
    await verifyIndexFile(path, sha256, signal);
    note(path, identity);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableIndex)) throw error;
    forgetNote(path);
    rmSync(path, { force: true });
    return error.message;
  }
}

/** Moves the verified index of a layer, if there is one, to its place. */
export function installNames(from: string, to: string, sha256: string): void {
  const path = namesPathOf(from);
  if (!existsSync(path)) return;
  syncToDisk(path);
  const placed = namesPathOf(to);
  renameSync(path, placed);
  note(placed, identityOf(placed, sha256));
}

function indexFile(snapshotPath: string, onCompanies: (done: number) => void): SectionList {
  const db = openReadOnly(snapshotPath);
  try {
    return indexRows(db, Interner.of(db), onCompanies);
  } finally {
    db.close();
  }
}

function keep({ path: snapshotPath, info }: LayerPlace, sections: SectionList): void {
  const path = namesPathOf(snapshotPath);
  const beingWritten = `${path}.${process.pid}-${threadId}.new`;
  try {
    writeIndexFile(beingWritten, sections);
    writeIdentity(beingWritten, info.sha256);
    syncToDisk(beingWritten);
    renameSync(beingWritten, path);
    note(path, identityOf(path, info.sha256));
  } catch {
    rmSync(beingWritten, { force: true });
  }
}
