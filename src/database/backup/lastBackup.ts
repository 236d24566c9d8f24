/** The record in DATA_DIR of the last backup, for `opzoek doctor` and the metrics. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeInPlace } from "../../lib/inPlace.ts";

const FILE = "backup.json";

/** A backup that passed its check. */
interface LastBackup {
  /** The time of the backup, Unix milliseconds. */
  readonly atMs: number;
  readonly path: string;
  readonly bytes: number;
}

/** The recorded backups of a DATA_DIR. */
export interface BackupRecord {
  readonly good?: LastBackup;
  /** The last attempt, if it failed after the good one. */
  readonly failed?: { readonly atMs: number; readonly reason: string };
}

/** Reads the record in a DATA_DIR, one small file; undefined if there is none, or it cannot be read. */
export function readBackupRecord(dataDir: string): BackupRecord | undefined {
  try {
    const { good, failed }: Record<string, unknown> = JSON.parse(readFileSync(join(dataDir, FILE), "utf8"));
    return { ...(isGood(good) && { good }), ...(isFailed(failed) && { failed }) };
  } catch {
    return undefined;
  }
}

/** Never throws: a full disk must not prevent a backup to another one. */
export function writeBackupRecord(dataDir: string, note: BackupRecord): void {
  try {
    writeInPlace(dataDir, FILE, `${JSON.stringify(note)}\n`);
  } catch {
    // The earlier record remains.
  }
}

function isGood(value: unknown): value is LastBackup {
  const { atMs, path, bytes }: Partial<LastBackup> = Object(value);
  return Number.isSafeInteger(atMs) && typeof path === "string" && Number.isSafeInteger(bytes);
}

function isFailed(value: unknown): value is NonNullable<BackupRecord["failed"]> {
  const { atMs, reason }: Partial<NonNullable<BackupRecord["failed"]>> = Object(value);
  return Number.isSafeInteger(atMs) && typeof reason === "string";
}
