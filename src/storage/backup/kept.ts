/** Which files a backup consists of, and how long they are kept. */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const DAY_MS = 86_400_000;

/** All files of one backup begin with `state-` and its moment. */
const DESCRIBED = /^(state-[0-9]{8}T[0-9]{6}\.[0-9]{3}Z)\.json$/;
export const STATE_END = ".sqlite";
export const DESCRIPTION_END = ".json";
export const KEY_END = ".two-factor.key";
export const REGISTRY_END = ".registry";

/** What the files of a backup made at a moment begin with. @param atMs Unix milliseconds */
export function stemAt(atMs: number): string {
  return `state-${new Date(atMs).toISOString().replace(/[-:]/g, "")}`;
}

/** What stands beside a state's copy, in a file of its own. */
export interface Description {
  /** Which DATA_DIR it is of, see `lastBackup.ts`. */
  readonly source: string;
  /** The moment that it holds, ISO 8601 UTC: every charge that was answered before is in it. */
  readonly at: string;
  readonly bytes: number;
  /** Of the state's file, in hex. */
  readonly sha256: string;
  /** Whether `opzoek state check` found it sound. */
  readonly isSound: boolean;
  /** Of the program that made it. */
  readonly version: string;
}

export interface KeptBackup extends Description {
  readonly stem: string;
}

/** The backups in a folder that are described and there, the newest first. */
export function backupsIn(folder: string): readonly KeptBackup[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const stem = DESCRIBED.exec(name)?.[1];
      const described = stem === undefined ? undefined : describedIn(folder, stem);
      return stem === undefined || described === undefined ? [] : [{ ...described, stem }];
    })
    .sort((one, other) => (one.stem < other.stem ? 1 : -1));
}

/** What stands beside a copy; undefined when nothing does that can be read. */
export function describedIn(folder: string, stem: string): Description | undefined {
  try {
    const read: Partial<Description> = JSON.parse(
      readFileSync(join(folder, `${stem}${DESCRIPTION_END}`), "utf8"),
    );
    const { source, at, bytes, sha256, isSound, version } = read;
    const isAll =
      typeof source === "string" &&
      typeof at === "string" &&
      typeof bytes === "number" &&
      typeof sha256 === "string" &&
      typeof isSound === "boolean" &&
      typeof version === "string";
    return isAll ? { source, at, bytes, sha256, isSound, version } : undefined;
  } catch {
    return undefined;
  }
}

/** How long backups are kept; with both, one stays while either says so. */
export interface Retention {
  /** So many of the newest. */
  readonly keep?: number;
  /** Those that are no older. */
  readonly keepDays?: number;
}

export interface Deletion {
  /** The stems of those that were deleted. */
  readonly deleted: readonly string[];
  /** Of those that could not be, in whole or in part, each with the reason. */
  readonly notDeleted: readonly string[];
}

/**
 * Deletes old backups of one DATA_DIR: files that a backup of it has described, no others, never the one that was just made, and never the newest sound one that is
 * as long as it was described. One of a moment to come, which a wrong clock made, is no older than any: it stays, and counts for none.
 * @param made the stem of the one that was just made
 * @param remove deletes all files of one; given by tests alone
 */
export function deleteOld(
  folder: string,
  { source, made }: { readonly source: string; readonly made: string },
  { keep, keepDays }: Retention,
  nowMs: number,
  remove = deleteOne,
): Deletion {
  if (keep === undefined && keepDays === undefined) return { deleted: [], notDeleted: [] };
  const own = backupsIn(folder).filter(
    (backup) => backup.source === source && (backup.stem === made || Date.parse(backup.at) <= nowMs),
  );
  const lastGood = own.find((backup) => backup.isSound && isWhole(folder, backup));
  const deleted: string[] = [];
  const notDeleted: string[] = [];
  for (const [index, { stem, at }] of own.entries()) {
    const isRecent = keepDays !== undefined && nowMs - Date.parse(at) <= keepDays * DAY_MS;
    const isOfTheNewest = keep !== undefined && index < keep;
    if (lastGood === undefined || [lastGood.stem, made].includes(stem) || isRecent || isOfTheNewest) continue;
    try {
      remove(folder, stem);
      deleted.push(stem);
    } catch (error) {
      notDeleted.push(`${stem} (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  return { deleted, notDeleted };
}

/** The state first: what is left of a deletion that was cut must not look whole. Its description last: it says whose the rest is. */
function deleteOne(folder: string, stem: string): void {
  for (const end of [STATE_END, REGISTRY_END, KEY_END, DESCRIPTION_END]) {
    rmSync(join(folder, `${stem}${end}`), { force: true, recursive: true });
  }
}

/** Whether the file of a backup is there, as long as it was described. */
export function isWhole(folder: string, { stem, bytes }: KeptBackup): boolean {
  return statSync(join(folder, `${stem}${STATE_END}`), { throwIfNoEntry: false })?.size === bytes;
}
