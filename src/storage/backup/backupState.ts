import { createHash } from "node:crypto";
import {
  copyFileSync,
  createReadStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Lock, takeFileLock } from "../../lib/fileLock.ts";
import { syncToDisk } from "../../lib/inPlace.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import { giveToOwner, makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import { checkState, type StateReport } from "../checking/checkState.ts";
import { checkIsThere } from "../moving/openRaw.ts";
import { statePath } from "../sqlite/statePath.ts";
import { copyOnline, type OnCopied } from "./copyOnline.ts";
import {
  backupsIn,
  DESCRIPTION_END,
  type Description,
  deleteOld,
  KEY_END,
  REGISTRY_END,
  type Retention,
  STATE_END,
  stemAt,
} from "./kept.ts";
import { type BackupNote, noteFor, writeNote } from "./lastBackup.ts";

const LOCK = "backup-lock.sqlite";

/** No backup was made; nothing in the folder looks like one. The message says what to do. */
export class BackupFailed extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BackupFailed";
  }
}

export interface BackupOptions extends Retention {
  readonly dataDir: string;
  readonly folder: string;
  /** Of the program. */
  readonly version: string;
  /** A file of DATA_DIR without which something in the state cannot be read; it may be absent. */
  readonly keyFile: string;
  /** Whether that file is left out. */
  readonly isWithoutKey?: boolean;
  /** Puts a copy of the registry into a folder that is not there yet; nothing when there is none. */
  readonly copyRegistry?: (target: string) => void;
  /** Whether the folder may lack the last backup that was made there: it may be one of an earlier disk. */
  readonly isAnew?: boolean;
  readonly now?: () => number;
  readonly onCopied?: OnCopied;
  readonly onChecking?: (rule: string) => void;
}

export interface MadeBackup {
  readonly path: string;
  readonly at: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly report: StateReport;
  /** What stands beside the state's copy: `two-factor.key`, the registry. */
  readonly beside: readonly string[];
  /** Why the registry, which was asked for, is not beside it; absent when it is. */
  readonly noRegistry?: string;
  /** Names of earlier ones that were deleted. */
  readonly deleted: readonly string[];
  /** Names of earlier ones that could not be deleted, each with the reason. */
  readonly notDeleted: readonly string[];
  /** Whether DATA_DIR could be told of it. */
  readonly isNoted: boolean;
}

type Made = Omit<MadeBackup, "isNoted">;

/**
 * Backs up the embedded state of `dataDir` into new files in `folder`, beside a running service: copied as it is at one moment, opened and
 * checked, synced to disk, and only then given its name. A process that is killed leaves no file that looks whole; what it left is cleared by the next.
 * A state that is not sound is kept all the same, and says so: it may be the best there is.
 * @throws {BackupFailed} when none was made
 * @throws {StateRefused} when there is no state
 */
export async function backupState(options: BackupOptions): Promise<MadeBackup> {
  const { dataDir, folder, now = Date.now } = options;
  checkIsThere({ path: statePath(dataDir) });
  const lock = takeLock(dataDir);
  try {
    const note = noteFor(dataDir);
    try {
      const made = await make(options, note);
      const good = goodOf(made, note);
      const isNoted = writeNote(dataDir, {
        source: note.source,
        ...(good !== undefined && { good }),
        ...failedOf(made),
      });
      return { ...made, isNoted };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      writeNote(dataDir, { ...note, failed: { atMs: now(), reason } });
      throw error;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupFailed(
      `no backup was made in ${folder} (${reason}): check that the folder is there, may be written and has room`,
      error,
    );
  } finally {
    lock.release();
  }
}

function takeLock(dataDir: string): Lock {
  let lock: Lock | undefined;
  try {
    lock = takeFileLock(join(dataDir, LOCK));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupFailed(
      `no backup was made: DATA_DIR ${dataDir} cannot be written (${reason}): check that it may be, and has room`,
      error,
    );
  }
  if (lock === undefined)
    throw new BackupFailed(`another backup of ${dataDir} is being made: wait until it is done`);
  return lock;
}

async function make(options: BackupOptions, note: BackupNote): Promise<Made> {
  const { dataDir, folder, now = Date.now } = options;
  makeFolder(folder);
  if (options.isAnew !== true) checkIsTheSame(folder, note);
  const partial = join(folder, `.partial-${note.source}`);
  rmSync(partial, { recursive: true, force: true });
  makeOwnFolder(partial);
  try {
    const copy = join(partial, "state.sqlite");
    const atMs = await copyOnline(statePath(dataDir), copy, now, options.onCopied ?? (() => {}));
    const report = await checkState(
      { path: copy },
      { now, ...(options.onChecking !== undefined && { onRule: options.onChecking }) },
    );
    const damage = report.findings.find(({ rule }) => rule === "the file");
    if (damage !== undefined)
      throw new BackupFailed(`no backup was made: the copy is damaged (${damage.examples[0]})`);
    const sha256 = await hashOf(copy);
    syncToDisk(copy);
    const { size: bytes } = statSync(copy);
    const stem = stemAt(atMs);
    const at = new Date(atMs).toISOString();
    const description: Description = {
      source: note.source,
      at,
      bytes,
      sha256,
      isSound: report.findings.length === 0,
      version: options.version,
    };
    const { beside, noRegistry } = putBeside(options, partial, stem, description);
    giveToOwner(partial);
    // Synced before they get their names, and the state last: what has its name is whole, with all that belongs to it.
    syncToDisk(partial);
    const path = join(folder, `${stem}${STATE_END}`);
    for (const name of [...beside, `${stem}${DESCRIPTION_END}`])
      renameSync(join(partial, name), join(folder, name));
    renameSync(copy, path);
    syncToDisk(folder);
    // What holds no account takes no other's place: it may be of a DATA_DIR whose disk is away.
    const retention = report.accounts === 0 ? {} : options;
    const deletion = deleteOld(folder, { source: note.source, made: stem }, retention, now());
    return {
      path,
      at,
      bytes,
      sha256,
      report,
      beside,
      ...(noRegistry !== undefined && { noRegistry }),
      ...deletion,
    };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Only the last part of a path is made: of a disk that is away all of it would be, on the disk below. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (!existsSync(dirname(folder))) {
    throw new BackupFailed(`${dirname(folder)} is not there, so no backup was made: is its disk mounted?`);
  }
  makeOwnFolder(folder);
}

/** Where the disk of the backups is away, its empty mount point would be filled. */
function checkIsTheSame(folder: string, { source, good }: BackupNote): void {
  if (good === undefined || dirname(good.path) !== folder || existsSync(good.path)) return;
  if (backupsIn(folder).some((backup) => backup.source === source)) return;
  throw new BackupFailed(
    `${folder} holds none of the backups that were made there, so none was made: is its disk mounted? Add --anew when they were moved or deleted`,
  );
}

/**
 * What belongs to the state's copy. A registry that cannot be copied, as while an import is at work, costs no night's backup of the state.
 * @returns its names, in the order in which they get them
 */
function putBeside(
  options: BackupOptions,
  partial: string,
  stem: string,
  description: Description,
): Pick<MadeBackup, "beside" | "noRegistry"> {
  const beside: string[] = [];
  let noRegistry: string | undefined;
  if (options.isWithoutKey !== true && existsSync(options.keyFile)) {
    const name = `${stem}${KEY_END}`;
    writeFileSync(join(partial, name), "", { mode: OWN_FILE_MODE });
    copyFileSync(options.keyFile, join(partial, name));
    syncToDisk(join(partial, name));
    beside.push(name);
  }
  if (options.copyRegistry !== undefined) {
    const name = `${stem}${REGISTRY_END}`;
    try {
      options.copyRegistry(join(partial, name));
      if (existsSync(join(partial, name))) beside.push(name);
      else noRegistry = "there is none";
    } catch (error) {
      rmSync(join(partial, name), { recursive: true, force: true });
      noRegistry = error instanceof Error ? error.message : String(error);
    }
  }
  const described = join(partial, `${stem}${DESCRIPTION_END}`);
  writeFileSync(described, `${JSON.stringify(description, undefined, 2)}\n`, { mode: OWN_FILE_MODE });
  syncToDisk(described);
  return { beside, ...(noRegistry !== undefined && { noRegistry }) };
}

/** Of a file's content, in hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function goodOf(
  { path, at, bytes, report }: Made,
  note: BackupNote,
): NonNullable<BackupNote["good"]> | undefined {
  return report.findings.length === 0 ? { atMs: Date.parse(at), path, bytes } : note.good;
}

function failedOf({ path, at, report }: Made): Pick<BackupNote, "failed"> {
  if (report.findings.length === 0) return {};
  const rules = report.findings.map(({ rule }) => rule).join(", ");
  return { failed: { atMs: Date.parse(at), reason: `${basename(path)} is not sound: ${rules}` } };
}
