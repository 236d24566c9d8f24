import {
  chownSync,
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
import { OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { checkState, type StateReport } from "../checking/checkState.ts";
import { takeDataDir } from "../sqlite/dataDirLock.ts";
import { statePath } from "../sqlite/statePath.ts";
import { StateRefused } from "../stateStore.ts";
import { hashOf } from "./backupState.ts";
import { backupsIn, describedIn, KEY_END, REGISTRY_END, STATE_END } from "./kept.ts";

/** What SQLite keeps beside a file in use. */
const COMPANIONS = ["-wal", "-shm"] as const;
const SQLITE_BUSY = 5;

export interface RestoreOptions {
  /** A backup's file, or a folder of backups: its newest sound one. */
  readonly from: string;
  readonly dataDir: string;
  /** The file of DATA_DIR that a backup may bring along. */
  readonly keyFile: string;
  /** Whether a state that stands there is put aside; else it is a reason to refuse. */
  readonly replaces?: boolean;
  /** Puts a backup's registry where there is none. */
  readonly placeRegistry?: (from: string) => void;
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
}

/**
 * Puts a backup in the place of the embedded state: copied and checked beside it first, then put in place at once. Whatever moment the process is killed
 * at, the state is the old one or the new one.
 * @throws {StateRefused} when a service has the state, one stands there and is not to be replaced, or the backup is not sound
 */
export async function restoreState(options: RestoreOptions): Promise<RestoredState> {
  const { dataDir, replaces = false, now = Date.now } = options;
  const from = chosen(options.from);
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
    const suffix = `replaced-${new Date(now()).toISOString().replace(/[-:]/g, "")}`;
    const aside = [...keyAside(options, from, suffix), ...stateAside(target, suffix)];
    renameSync(copy, target);
    syncToDisk(dataDir);
    const registry = besideOf(from, REGISTRY_END);
    if (existsSync(registry)) options.placeRegistry?.(registry);
    return { from, ...(at !== undefined && { at }), report, aside, hasKey: existsSync(options.keyFile) };
  } finally {
    rmSync(copy, { force: true });
    lock.release();
  }
}

/** The file that is meant. */
function chosen(from: string): string {
  const found = statSync(from, { throwIfNoEntry: false });
  if (found === undefined)
    throw new StateRefused(`${from} is not there: name a backup, or a folder of backups`);
  if (!found.isDirectory()) return from;
  const newest = backupsIn(from).find(
    ({ stem, isSound }) => isSound && existsSync(join(from, `${stem}${STATE_END}`)),
  );
  if (newest === undefined)
    throw new StateRefused(`${from} holds no sound backup that \`opzoek backup\` made: name a file`);
  return join(from, `${newest.stem}${STATE_END}`);
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
  giveToOwner(copy, dataDir);
  const described = describedIn(dirname(from), basename(from, STATE_END));
  if (described !== undefined && (await hashOf(copy)) !== described.sha256) {
    throw new StateRefused(
      `${from} is not what was backed up (its SHA-256 differs): nothing was restored; take another`,
    );
  }
  const report = await checkState({ path: copy }, onChecking === undefined ? {} : { onRule: onChecking });
  const damage = report.findings.find(({ rule }) => rule === "the file");
  if (damage !== undefined) {
    throw new StateRefused(`${from} is damaged (${damage.examples[0]}): nothing was restored; take another`);
  }
  syncToDisk(copy);
  return { at: described?.at, report };
}

/** Root restores for whoever runs the service: the folder is theirs. */
function giveToOwner(path: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(path, uid, gid);
}

/** Puts the state that stands there aside, under names by which it can be opened, and leaves nothing that SQLite would take for the new one's. */
function stateAside(target: string, suffix: string): readonly string[] {
  if (existsSync(target)) foldIn(target);
  const aside = target.replace(/\.sqlite$/, `-${suffix}.sqlite`);
  const put: string[] = [];
  if (existsSync(target)) {
    // The old one keeps its place until the new one takes it.
    linkOrCopy(target, aside);
    put.push(aside);
  }
  for (const companion of COMPANIONS) {
    if (existsSync(target + companion)) renameSync(target + companion, aside + companion);
  }
  syncToDisk(dirname(target));
  return put;
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
function keyAside({ keyFile, dataDir }: RestoreOptions, from: string, suffix: string): readonly string[] {
  const key = besideOf(from, KEY_END);
  if (!existsSync(key)) return [];
  const aside: string[] = [];
  if (existsSync(keyFile)) {
    if (readFileSync(keyFile).equals(readFileSync(key))) return [];
    aside.push(`${keyFile}.${suffix}`);
    linkOrCopy(keyFile, `${keyFile}.${suffix}`);
  }
  const beingWritten = `${keyFile}.restoring`;
  rmSync(beingWritten, { force: true });
  writeFileSync(beingWritten, readFileSync(key), { mode: OWN_FILE_MODE });
  giveToOwner(beingWritten, dataDir);
  syncToDisk(beingWritten);
  renameSync(beingWritten, keyFile);
  return aside;
}
