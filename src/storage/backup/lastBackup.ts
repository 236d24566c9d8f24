/** The note in DATA_DIR of the last backup: for whoever tells its age. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeInPlace } from "../../lib/inPlace.ts";

const FILE = "backup.json";

/** A backup that was checked and found good. */
export interface LastBackup {
  /** The moment that it holds, Unix milliseconds. */
  readonly atMs: number;
  readonly path: string;
  readonly bytes: number;
}

/** What is known of the backups of a DATA_DIR. */
export interface BackupNote {
  /** Names this DATA_DIR among those that are backed up to the same folder. */
  readonly source: string;
  readonly good?: LastBackup;
  /** The last try, when it failed after the good one. */
  readonly failed?: { readonly atMs: number; readonly reason: string };
}

/** The last good backup of an embedded state; undefined when none was made, or nothing can be read of it. Reads one small file. */
export function lastBackup(dataDir: string): LastBackup | undefined {
  return readNote(dataDir)?.good;
}

export function readNote(dataDir: string): BackupNote | undefined {
  try {
    const { source, good, failed }: Record<string, unknown> = JSON.parse(
      readFileSync(join(dataDir, FILE), "utf8"),
    );
    if (typeof source !== "string") return undefined;
    return { source, ...(isGood(good) && { good }), ...(isFailed(failed) && { failed }) };
  } catch {
    return undefined;
  }
}

/** The note, made when there is none, so that what is written next is known again. */
export function noteFor(dataDir: string): BackupNote {
  const known = readNote(dataDir);
  if (known !== undefined) return known;
  const made = { source: randomUUID() };
  writeNote(dataDir, made);
  return made;
}

/** A disk that is full must not keep a backup to another one from being made. @returns whether it was written */
export function writeNote(dataDir: string, note: BackupNote): boolean {
  try {
    writeInPlace(dataDir, FILE, `${JSON.stringify(note)}\n`);
    return true;
  } catch {
    return false;
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
