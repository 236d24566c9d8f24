import { copyFileSync, existsSync, linkSync, openAsBlob, readFileSync, renameSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { syncToDisk } from "../../lib/inPlace.ts";
import { copyToOwnFile } from "../../lib/ownFiles.ts";
import { isReadable } from "../../lib/readable.ts";
import { checkState, type StateReport } from "../consistency/checkState.ts";
import { SEAL_KEY_BYTES } from "../schema/sealed.ts";
import { lockDataDir } from "../sqlite/dataDirLock.ts";
import { isBusy } from "../sqlite/driver.ts";
import { statePath } from "../sqlite/statePath.ts";
import { StateRefused } from "../stateErrors.ts";
import { keyPathOf, momentOf, removeDatabase } from "./backupState.ts";

/**
 * The file header begins with this text, and has the page size at 16 and the number of pages at 28
 * (sqlite.org/fileformat.html).
 */
const SQLITE = "SQLite format 3\0";
const HEADER_BYTES = 32;

interface RestoreOptions {
  /** The file of a backup. */
  readonly from: string;
  readonly dataDir: string;
  /** The key file of DATA_DIR, which a backup may include. */
  readonly keyFile: string;
  /** Whether an existing state is moved aside; otherwise it is an error. */
  readonly replaces?: boolean;
  readonly now?: () => number;
  readonly onChecking?: (rule: string) => void;
}

export interface RestoredState {
  readonly from: string;
  /** The time of the backup, ISO 8601 UTC; absent if its name does not contain it. */
  readonly at?: string;
  readonly report: StateReport;
  /** The new paths of the replaced files. */
  readonly aside: readonly string[];
  readonly hasKey: boolean;
}

/**
 * Replaces the embedded state by a backup: copied next to the state, checked, then renamed over it, after the key of
 * its secrets. If the process is killed, the state is either the old or the new one.
 * @throws {StateRefused} if a service has the state, an existing one must not be replaced, or the backup is
 * inconsistent
 */
export async function restoreState(options: RestoreOptions): Promise<RestoredState> {
  const { from, dataDir, keyFile, replaces = false, now = Date.now } = options;
  if (!isReadable(from) || !statSync(from).isFile()) {
    throw new StateRefused(
      `${from} does not exist or is not a file: use a file written by \`opzoek backup\``,
    );
  }
  const lock = lockDataDir(dataDir, "restore");
  const target = statePath(dataDir);
  const copy = `${target}.restoring`;
  try {
    if (existsSync(target) && !replaces) {
      throw new StateRefused(
        `${target} already exists: choose another DATA_DIR, or add --replace, which moves it aside`,
      );
    }
    removeDatabase(copy);
    const report = await moveIntoPlace(options, copy);
    if (existsSync(target)) checkpointWal(target);
    const suffix = `replaced-${new Date(now()).toISOString().replace(/[-:]/g, "")}`;
    const aside = [...placeKey(keyPathOf(from), keyFile, suffix), ...replaceState(copy, target, suffix)];
    syncToDisk(dataDir);
    const at = momentOf(from);
    return { from, ...(at !== undefined && { at }), report, aside, hasKey: existsSync(keyFile) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || !/^E[A-Z]+$/.test(String(error.code))) throw error;
    throw new StateRefused(
      `${from} cannot be restored (${error.message}): check that this user may read the backup and its key, and that ${dataDir} is writable and has free space`,
      error,
    );
  } finally {
    removeDatabase(copy);
    lock.release();
  }
}

/** Copies a backup next to the state, readable only by the folder's owner, and checks it. */
async function moveIntoPlace({ from, dataDir, onChecking = () => {} }: RestoreOptions, copy: string) {
  if ((statSync(`${from}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StateRefused(
      `${from}-wal exists, so this is a copy of files in use, not a backup: open it once with SQLite, which merges the files, or choose another file`,
    );
  }
  await refuseTruncated(from);
  try {
    copyToOwnFile(from, copy);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StateRefused(
      `${from} cannot be copied (${reason}): check its permissions and the free space in ${dataDir}`,
      error,
    );
  }
  const report = await checkState({ path: copy }, { onRule: onChecking }).catch((error: unknown) => {
    if (!(error instanceof StateRefused)) throw error;
    // The advice of an error of SQLite is about a state.
    if (error.cause instanceof Error) throw unusable(from, `damaged (${error.cause.message})`, error);
    // The operator knows the backup by its own name.
    throw new StateRefused(error.message.replaceAll(copy, from), error);
  });
  const damage = report.findings.find(({ rule }) => rule === "the file");
  if (damage !== undefined) throw unusable(from, `damaged (${damage.examples[0]})`);
  syncToDisk(copy);
  return report;
}

function unusable(file: string, how: string, cause?: unknown): StateRefused {
  return new StateRefused(`${file} is ${how}: nothing was restored; use another backup`, cause);
}

/** Refuses a backup that is shorter than its header says, which SQLite may not notice, and a key of a wrong length. */
async function refuseTruncated(from: string): Promise<void> {
  const file = await openAsBlob(from);
  const header = Buffer.from(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const isWhole = header.length === HEADER_BYTES;
  const bytes = isWhole ? header.readUInt16BE(16) * header.readUInt32BE(28) : HEADER_BYTES;
  if (file.size < bytes && (!isWhole || header.toString("latin1").startsWith(SQLITE)))
    throw unusable(from, `truncated: it has ${file.size.toLocaleString("en")} bytes`);
  const key = keyPathOf(from);
  if (existsSync(key) && Buffer.from(readFileSync(key, "utf8"), "base64").length !== SEAL_KEY_BYTES)
    throw unusable(key, "truncated");
}

/**
 * Merges the WAL of an unused state into its file. A damaged state stays unchanged.
 * @throws {StateRefused} if it is in use
 */
function checkpointWal(target: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(target, { timeout: 0 });
    database.exec(
      "pragma locking_mode = exclusive; begin exclusive; commit; pragma wal_checkpoint(truncate)",
    );
  } catch (error) {
    if (isBusy(error)) {
      throw new StateRefused(
        `${target} is in use by another process: stop the service and all commands, then try again`,
        error,
      );
    }
  } finally {
    database?.close();
  }
}

/** @returns the new path of the old state, which stays in place until the new one replaces it */
function replaceState(copy: string, target: string, suffix: string): readonly string[] {
  const aside = target.replace(/\.sqlite$/, `-${suffix}.sqlite`);
  const stateExisted = existsSync(target);
  if (stateExisted) linkOrCopy(target, aside);
  // A damaged state may have left WAL files, which SQLite would apply to the new state.
  for (const end of ["-wal", "-shm"]) if (existsSync(target + end)) renameSync(target + end, aside + end);
  renameSync(copy, target);
  return stateExisted ? [aside] : [];
}

/**
 * Puts the key of the backup in place.
 * @returns the new path of a different old key, which cannot read the restored state
 */
function placeKey(key: string, keyFile: string, suffix: string): readonly string[] {
  if (!existsSync(key)) return [];
  const keyExisted = existsSync(keyFile);
  if (keyExisted && readFileSync(keyFile).equals(readFileSync(key))) return [];
  const aside = `${keyFile}.${suffix}`;
  const beingWritten = `${keyFile}.restoring`;
  copyToOwnFile(key, beingWritten);
  syncToDisk(beingWritten);
  if (keyExisted) linkOrCopy(keyFile, aside);
  renameSync(beingWritten, keyFile);
  return keyExisted ? [aside] : [];
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // A file system without hard links.
    copyFileSync(from, to);
    syncToDisk(to);
  }
}
