import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { syncToDisk } from "../../lib/inPlace.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import { copyToOwnFile, makeOwnFile, makeOwnFolder } from "../../lib/ownFiles.ts";
import { isReadable } from "../../lib/readable.ts";
import { checkState, type StateReport } from "../consistency/checkState.ts";
import { statePath } from "../sqlite/statePath.ts";
import { checkExists } from "../transfer/rawState.ts";
import { type BackupRecord, readBackupRecord, writeBackupRecord } from "./lastBackup.ts";

const STATE_END = ".sqlite";
/** A mebibyte in pages of 4 KiB. Between steps the copy yields to other work and can report its progress. */
const PAGES_PER_STEP = 256;
const BUSY_TIMEOUT_MS = 5_000;

/** No backup was made, and nothing in the folder looks like one. The message contains the remedy. */
export class BackupFailed extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BackupFailed";
  }
}

interface BackupOptions {
  readonly dataDir: string;
  readonly folder: string;
  /** A file of DATA_DIR that is needed to read parts of the state; may be absent. */
  readonly keyFile: string;
  readonly now?: () => number;
  readonly onCopied?: (donePages: number, allPages: number) => void;
  readonly onChecking?: (rule: string) => void;
}

export interface CompletedBackup {
  readonly path: string;
  /** The time of the backup, ISO 8601 UTC: it includes every earlier acknowledged charge. */
  readonly at: string;
  readonly bytes: number;
  readonly report: StateReport;
  /** The copy of the key file, if there is one. */
  readonly keyPath?: string;
}

/** The key file that belongs to a backup. */
export function keyPathOf(backup: string): string {
  return `${backup.slice(0, -STATE_END.length)}.two-factor.key`;
}

/** Removes the file of a database, and the files that SQLite leaves next to it when a write fails. */
export function removeDatabase(path: string): void {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(path + end, { force: true });
}

/** The time in a backup's name, ISO 8601 UTC; undefined if it was renamed. */
export function momentOf(backup: string): string | undefined {
  const [, ...parts] =
    /^state-(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d\.\d{3}Z)\.sqlite$/.exec(basename(backup)) ?? [];
  const [year, month, hour, minute, second] = parts;
  return year === undefined ? undefined : `${year}-${month}-${hour}:${minute}:${second}`;
}

/**
 * Backs up the embedded state of `dataDir` into a new file in `folder` while a service runs: copied as of one moment,
 * checked, synced to disk, and only then renamed. A kill leaves at most a file that ends in `.partial`. An inconsistent
 * state is stored as well, because it may be the best there is.
 * @throws {BackupFailed} if none was made
 * @throws {StateRefused} if there is no state
 */
export async function backupState(options: BackupOptions): Promise<CompletedBackup> {
  const { dataDir, folder, now = Date.now } = options;
  checkExists({ path: statePath(dataDir) });
  const { good } = readBackupRecord(dataDir) ?? {};
  try {
    const made = await make(options);
    writeBackupRecord(dataDir, backupRecordOf(made, good));
    return made;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    writeBackupRecord(dataDir, { ...(good !== undefined && { good }), failed: { atMs: now(), reason } });
    if (error instanceof OperatorError) throw error;
    throw new BackupFailed(
      `no backup was made in ${folder} (${reason}): check that the folder exists, is writable for this user and has free space`,
      error,
    );
  }
}

async function make({
  dataDir,
  folder,
  keyFile,
  now = Date.now,
  onCopied,
  onChecking = () => {},
}: BackupOptions): Promise<CompletedBackup> {
  makeFolder(folder);
  const at = new Date(now()).toISOString();
  const path = join(folder, `state-${at.replace(/[-:]/g, "")}${STATE_END}`);
  const copy = `${path}.partial`;
  const keyPath = keyPathOf(path);
  const hasKey = existsSync(keyFile);
  try {
    await copyOnline(statePath(dataDir), copy, onCopied);
    const report = await checkState({ path: copy }, { now, onRule: onChecking });
    const damage = report.findings.find(({ rule }) => rule === "the file");
    if (damage !== undefined)
      throw new BackupFailed(`no backup was made: the copy is damaged (${damage.examples[0]})`);
    if (hasKey) {
      copyToOwnFile(keyFile, keyPath);
      syncToDisk(keyPath);
    }
    syncToDisk(copy);
    // The state last: it gets its name when everything else is in place.
    renameSync(copy, path);
    syncToDisk(folder);
    return { path, at, bytes: statSync(path).size, report, ...(hasKey && { keyPath }) };
  } catch (error) {
    for (const left of [copy, keyPath]) removeDatabase(left);
    throw error;
  }
}

/**
 * Copies the file of a state as of one moment, in steps, without blocking writers. The open transaction keeps that
 * moment while others commit to the WAL (sqlite.org/isolation.html); without it every commit would restart the copy.
 * The copy is a single file, readable only by its owner.
 * @throws {Error} if either file cannot be read or written
 */
async function copyOnline(path: string, target: string, onCopied: BackupOptions["onCopied"]): Promise<void> {
  makeOwnFile(target);
  const source = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    source.exec("begin");
    // The transaction begins with its first read.
    source.prepare("select count(*) from sqlite_schema").get();
    await backup(source, target, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onCopied?.(totalPages - remainingPages, totalPages),
    });
    source.exec("rollback");
    // Checkpoints commits made in the meantime, so that the service's next commit need not do it.
    source.exec("pragma wal_checkpoint(passive)");
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(target);
  try {
    // Otherwise readers would create files next to it that belong to it.
    copy.exec("pragma journal_mode = delete");
  } finally {
    copy.close();
  }
}

/** Creates only the last part of a path: if a disk is not mounted, the rest would be created on the disk below. */
function makeFolder(folder: string): void {
  if (isReadable(folder)) return;
  if (!isReadable(dirname(folder))) {
    throw new BackupFailed(
      `no backup was made: ${dirname(folder)} does not exist; check that its disk is mounted`,
    );
  }
  makeOwnFolder(folder);
}

function backupRecordOf(
  { path, at, bytes, report }: CompletedBackup,
  lastGood: BackupRecord["good"],
): BackupRecord {
  const atMs = Date.parse(at);
  if (report.findings.length === 0) return { good: { atMs, path, bytes } };
  const rules = report.findings.map(({ rule }) => rule).join(", ");
  const failed = { atMs, reason: `${basename(path)} is inconsistent: ${rules}` };
  return { ...(lastGood !== undefined && { good: lastGood }), failed };
}
