/** The note in DATA_DIR of the last backup, from which `opzoek doctor` and the metrics report its age. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeInPlace } from "../../lib/inPlace.ts";

const FILE = "backup.json";

/** A backup that was checked and found good. */
interface LastBackup {
  /** The moment that it holds, Unix milliseconds. */
  readonly atMs: number;
  readonly path: string;
  readonly bytes: number;
}

/** What is known of the backups of a DATA_DIR. */
export interface BackupNote {
  readonly good?: LastBackup;
  /** The last attempt, when it failed after the good one. */
  readonly failed?: { readonly atMs: number; readonly reason: string };
}

/** The note in a DATA_DIR; undefined when no backup was tried, or it cannot be read. Reads one small file. */
export function readNote(dataDir: string): BackupNote | undefined {
  try {
    const { good, failed }: Record<string, unknown> = JSON.parse(readFileSync(join(dataDir, FILE), "utf8"));
    return { ...(isGood(good) && { good }), ...(isFailed(failed) && { failed }) };
  } catch {
    return undefined;
  }
}

/** A disk that is full must not keep a backup to another one from being made, so this never throws. */
export function writeNote(dataDir: string, note: BackupNote): void {
  try {
    writeInPlace(dataDir, FILE, `${JSON.stringify(note)}\n`);
  } catch {
    // doctor and the metrics then report the one before.
  }
}

function isGood(value: unknown): value is LastBackup {
  const { atMs, path, bytes }: Partial<LastBackup> = Object(value);
  return Number.isSafeInteger(atMs) && typeof path === "string" && Number.isSafeInteger(bytes);
}

function isFailed(value: unknown): value is NonNullable<BackupNote["failed"]> {
  const { atMs, reason }: Partial<NonNullable<BackupNote["failed"]>> = Object(value);
  return Number.isSafeInteger(atMs) && typeof reason === "string";
}
