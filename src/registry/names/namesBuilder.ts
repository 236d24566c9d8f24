/** The process that builds the name index of a layer at low priority; see `buildNames`. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Lock } from "../../lib/fileLock.ts";
import { syncToDisk } from "../../lib/inPlace.ts";
import { giveToOwner } from "../../lib/ownFiles.ts";
import { writeIdentity, writeIndexFile } from "../../search/index/indexFile.ts";
import { asRefusal, RegistryBusy } from "../errors.ts";
import { Interner } from "../interner.ts";
import { takeNamesLock } from "../lock.ts";
import { openReadOnly } from "../sqlite.ts";
import type { LayerPlace } from "../types.ts";
import { identityOf, note } from "../verifiedNote.ts";
import { indexRows } from "./indexRows.ts";
import { namesPathOf, verifyNames } from "./storedNames.ts";

export interface BuilderTask {
  readonly place: LayerPlace;
  /** The folder to create for the index if it cannot be stored next to the layer. */
  readonly temporaryFolder: string | undefined;
  /** The id of the process that needs the index. */
  readonly parent: number;
}

/** The number of companies read so far, the layer next to which the index was stored, or the reason for a failure. */
export type BuilderMessage =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "stored"; readonly path: string }
  | { readonly kind: "failed"; readonly reason: string };

/** How often to check whether another process has built the index. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Builds the index unless another process has done so meanwhile.
 * @returns the path of the layer next to which it is stored
 */
async function build({ place, temporaryFolder }: BuilderTask): Promise<string> {
  let lock: Lock | undefined;
  try {
    lock = await waitForLock(dirname(place.path));
    const problem = await verifyNames(place.path, place.info.sha256);
    return problem === undefined ? place.path : store(place, place.path);
  } catch (error) {
    const refusal = asRefusal(error, dirname(place.path));
    if (temporaryFolder === undefined) throw refusal;
    return buildElsewhere(place, temporaryFolder, refusal);
  } finally {
    lock?.release();
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** @throws {RegistryNotWritable} if the folder cannot be written */
async function waitForLock(directory: string): Promise<Lock> {
  for (;;) {
    try {
      return takeNamesLock(directory);
    } catch (error) {
      if (!(error instanceof RegistryBusy)) throw error;
    }
    await wait(LOOK_AGAIN_MS);
  }
}

/**
 * Leaves nothing behind if it fails, as then nobody may be left to delete it.
 * @param refusal why it cannot be next to the layer
 */
function buildElsewhere(place: LayerPlace, folder: string, refusal: unknown): string {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return store(place, join(folder, basename(place.path)));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${reasonOf(refusal)} ${dirname(folder)} cannot be used instead: ${reasonOf(error)}`);
  }
}

/** @param target the layer next to which to store the index @throws a system error when it cannot be written */
function store({ path, info }: LayerPlace, target: string): string {
  const names = namesPathOf(target);
  // The same name each time, so that a killed build leaves no file behind.
  const beingWritten = `${names}.new`;
  const db = openReadOnly(path);
  try {
    // A leftover may belong to another user.
    rmSync(beingWritten, { force: true });
    writeIndexFile(
      beingWritten,
      indexRows(db, Interner.of(db), (done) => send({ kind: "progress", done })),
    );
    writeIdentity(beingWritten, info.sha256);
    syncToDisk(beingWritten);
    refuseOrphan();
    renameSync(beingWritten, names);
    giveToOwner(names);
    note(names, identityOf(names, info.sha256));
    return target;
  } catch (error) {
    rmSync(beingWritten, { force: true });
    throw error;
  } finally {
    db.close();
  }
}

function send(message: BuilderMessage): void {
  refuseOrphan();
  process.send?.(message);
}

/** @throws {Error} when the process that needs the index was killed: nobody would read it, or delete its files */
function refuseOrphan(): void {
  if (process.ppid !== task.parent) throw new Error("the process that needs the index has ended");
}

const task: BuilderTask = JSON.parse(process.argv[2] ?? "");
setPriority(constants.priority.PRIORITY_LOW);
try {
  send({ kind: "stored", path: await build(task) });
} catch (error) {
  if (process.ppid !== task.parent) process.exit(1);
  send({ kind: "failed", reason: reasonOf(error) });
}
process.disconnect?.();
