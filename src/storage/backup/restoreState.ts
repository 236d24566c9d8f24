import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncToDisk } from "../../lib/inPlace.ts";
import { giveToOwner, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { checkState, type StateReport } from "../checking/checkState.ts";
import { takeDataDir } from "../sqlite/dataDirLock.ts";
import { statePath } from "../sqlite/statePath.ts";
import { StateRefused } from "../stateStore.ts";
import { hashOf } from "./backupState.ts";
import { chosenBackup } from "./chosenBackup.ts";
import { describedIn, KEY_END, REGISTRY_END, STATE_END } from "./kept.ts";

/** What SQLite keeps beside a file in use. */
const COMPANIONS = ["-wal", "-shm"] as const;
const SQLITE_BUSY = 5;

export interface RestoreOptions {
  /** A backup's file, or a folder of backups: the newest sound one of this DATA_DIR, see `chosenBackup.ts`. */
  readonly from: string;
  readonly dataDir: string;
  /** The file of DATA_DIR that a backup may bring along. */
  readonly keyFile: string;
  /** Whether a state that stands there is put aside; else it is a reason to refuse. */
  readonly replaces?: boolean;
  /** Puts a backup's registry where there is none, checked. */
  readonly placeRegistry?: (from: string) => Promise<void>;
  readonly now?: () => number;
  readonly onChecking?: (rule: string) => void;
}

export interface RestoredState {
  readonly from: string;
  /** The moment that it holds, ISO 8601 UTC; absent when nothing beside the file says so. */
  readonly at?: string;
  readonly report: StateReport;
  /** Where what stood there is now. */
  readonly aside: readonly string[];
  readonly hasKey: boolean;
  /** What was passed over, and whose it is. */
  readonly remarks: readonly string[];
}

/**
 * Puts a backup in the place of the embedded state: all of it is copied and checked beside it first, the registry, which is asked for only where there is none, is
 * brought in, and the state, with the key that its secrets are sealed under, is put in place last and at once. Whatever moment the process is killed at, the state is the
 * old one or the new one; what fails before leaves the old one with its key.
 * @throws {StateRefused} when a service has the state, one stands there and is not to be replaced, or the backup is not sound
 */
export async function restoreState(options: RestoreOptions): Promise<RestoredState> {
  const { dataDir, replaces = false, now = Date.now } = options;
  const { path: from, remarks } = chosenBackup(options.from, dataDir, now());
  const registry = besideOf(from, REGISTRY_END);
  if (options.placeRegistry !== undefined && !existsSync(registry)) {
    throw new StateRefused(
      `${from} has no registry beside it: leave out --registry, or name a backup that has`,
    );
  }
  const lock = takeDataDir(dataDir, "restore");
  const target = statePath(dataDir);
  const copy = `${target}.restoring`;
  try {
    if (existsSync(target) && !replaces) {
      throw new StateRefused(
        `${target} is there already: name another DATA_DIR, or add --replace, which puts it aside`,
      );
    }
    rmSync(copy, { force: true });
    const { at, report } = await bringIn(from, copy, options);
    if (existsSync(target)) foldIn(target);
    if (options.placeRegistry !== undefined) {
      await options.placeRegistry(registry);
      // That may take long: a command may have opened the state meanwhile.
      if (existsSync(target)) foldIn(target);
    }
    const suffix = `replaced-${new Date(now()).toISOString().replace(/[-:]/g, "")}`;
    const aside = putInPlace({
      copy,
      target,
      key: besideOf(from, KEY_END),
      keyFile: options.keyFile,
      suffix,
    });
    syncToDisk(dataDir);
    return {
      from,
      ...(at !== undefined && { at }),
      report,
      aside,
      hasKey: existsSync(options.keyFile),
      remarks,
    };
  } finally {
    rmSync(copy, { force: true });
    lock.release();
  }
}

function besideOf(from: string, end: string): string {
  return join(dirname(from), `${basename(from, STATE_END)}${end}`);
}

/** Copies a backup beside the state, for the owner of the folder alone, and looks whether it is what was made and sound. */
async function bringIn(from: string, copy: string, { dataDir, onChecking }: RestoreOptions) {
  if (existsSync(`${from}-wal`) && statSync(`${from}-wal`).size > 0) {
    throw new StateRefused(
      `${from}-wal stands beside it, so it is no backup but a copy of files in use: open it once with SQLite, which makes one whole file of the two, or name another`,
    );
  }
  writeFileSync(copy, "", { mode: OWN_FILE_MODE });
  try {
    copyFileSync(from, copy);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StateRefused(
      `${from} cannot be copied (${reason}): check its rights and the room in ${dataDir}`,
      error,
    );
  }
  giveToOwner(copy);
  const described = describedIn(dirname(from), basename(from, STATE_END));
  if (described !== undefined && (await hashOf(copy)) !== described.sha256) {
    throw new StateRefused(
      `${from} is not what was backed up (its SHA-256 differs): nothing was restored; take another`,
    );
  }
  const report = await checkState(
    { path: copy },
    onChecking === undefined ? {} : { onRule: onChecking },
  ).catch((error: unknown) => {
    // Whoever restores knows the backup by its own name.
    throw error instanceof StateRefused
      ? new StateRefused(error.message.replaceAll(copy, from), error)
      : error;
  });
  const damage = report.findings.find(({ rule }) => rule === "the file");
  if (damage !== undefined) {
    throw new StateRefused(`${from} is damaged (${damage.examples[0]}): nothing was restored; take another`);
  }
  syncToDisk(copy);
  return { at: described?.at, report };
}

interface Placing {
  /** Of the backup, beside the state. */
  readonly copy: string;
  readonly target: string;
  /** The backup's, which need not be there. */
  readonly key: string;
  readonly keyFile: string;
  readonly suffix: string;
}

/**
 * Puts the copy and its key in place, and what stands there aside, under names by which it can be opened. Nothing is left that SQLite would take for the new state's. What
 * fails is undone: a state with another one's key would lock people out.
 * @returns where what stood there is
 */
function putInPlace({ copy, target, key, keyFile, suffix }: Placing): readonly string[] {
  const aside = target.replace(/\.sqlite$/, `-${suffix}.sqlite`);
  const put: string[] = [];
  const undo: (() => void)[] = [];
  try {
    if (existsSync(target)) {
      // The old one keeps its place until the new one takes it.
      linkOrCopy(target, aside);
      undo.push(() => rmSync(aside));
      put.push(aside);
    }
    for (const companion of COMPANIONS) {
      if (!existsSync(target + companion)) continue;
      renameSync(target + companion, aside + companion);
      undo.push(() => renameSync(aside + companion, target + companion));
    }
    put.unshift(...placeKey(key, keyFile, suffix, undo));
    renameSync(copy, target);
    return put;
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

/** Makes one file of a state that nobody uses. @throws {StateRefused} when somebody does; one that is damaged stays as it is */
function foldIn(target: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(target, { timeout: 0 });
    database.exec(
      "pragma locking_mode = exclusive; begin exclusive; commit; pragma wal_checkpoint(truncate)",
    );
  } catch (error) {
    if (error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY) {
      throw new StateRefused(
        `${target} is in use by another process: stop the service and every command, and try again`,
        error,
      );
    }
  } finally {
    database?.close();
  }
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

/** Puts the backup's key in place; another one that stands there is put aside, as the restored state cannot be read with it. */
function placeKey(key: string, keyFile: string, suffix: string, undo: (() => void)[]): readonly string[] {
  if (!existsSync(key)) return [];
  const beingWritten = `${keyFile}.restoring`;
  const aside = `${keyFile}.${suffix}`;
  const hadOne = existsSync(keyFile);
  if (hadOne && readFileSync(keyFile).equals(readFileSync(key))) return [];
  rmSync(beingWritten, { force: true });
  writeFileSync(beingWritten, readFileSync(key), { mode: OWN_FILE_MODE });
  giveToOwner(beingWritten);
  syncToDisk(beingWritten);
  if (hadOne) linkOrCopy(keyFile, aside);
  undo.push(() => (hadOne ? renameSync(aside, keyFile) : rmSync(keyFile)));
  renameSync(beingWritten, keyFile);
  return hadOne ? [aside] : [];
}
