import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isReadable } from "../../lib/readable.ts";
import { readPointer } from "../../registry/directory.ts";
import { registryDirectory } from "../../registry/paths.ts";
import { statePath } from "../../storage/sqlite/statePath.ts";
import { sealKeyPath } from "../compose/sealKeys.ts";
import type { Settings } from "../settings/settings.ts";
import { type Found, good, problem, reasonOf, warning } from "./diagnosis.ts";

const MIB = 1_048_576;
/** With less free space, the next import or write to the state may fail. */
const MIN_FREE_BYTES = 256 * MIB;
/** An import needs about three times `bytes` of its result, which leaves out the name index: for both and for temporary rows. */
const IMPORT_SIZE_FACTOR = 3;
const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;
const SETGID = 0o2000;
/** The file system's own folder. */
const LOST_AND_FOUND = "lost+found";
/** The number of paths of other users shown as examples, because one remedy applies to all. */
const MAX_NAMED = 5;

/** Checks that this user can write to DATA_DIR, that its files have one owner, and that no one else can read them. */
export function rights({ DATA_DIR }: Pick<Settings, "DATA_DIR">, isMounted = isMountPoint): Found {
  if (!exists(DATA_DIR)) {
    return warning(
      `DATA_DIR ${DATA_DIR} does not exist`,
      "the first start creates it; if there was one, check the setting",
    );
  }
  try {
    accessSync(DATA_DIR, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return problem(
      `DATA_DIR ${DATA_DIR} cannot be read and written by this user (${reasonOf(error)})`,
      "run this as the service's user, or make that user its owner: chown -R USER DATA_DIR",
    );
  }
  const state = statePath(DATA_DIR);
  const files = [
    state,
    `${state}-wal`,
    `${state}-shm`,
    sealKeyPath(DATA_DIR),
    join(registryDirectory(DATA_DIR), "current.json"),
  ].filter((path) => existsSync(path));
  const isVolume = isVolumeOfGroup(DATA_DIR, isMounted);
  const [first = DATA_DIR] = isVolume ? files : [];
  const owner = statSync(first).uid;
  const foreign = [DATA_DIR, registryDirectory(DATA_DIR)]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []).map((name) => join(folder, name)))
    .filter((path) => path !== join(DATA_DIR, LOST_AND_FOUND))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid !== owner)
    .slice(0, MAX_NAMED);
  if (foreign.length > 0) {
    return problem(
      `files of another owner than ${first === DATA_DIR ? "DATA_DIR" : first}: ${foreign.join(", ")}`,
      "chown them to that owner, and run commands as that user",
    );
  }
  const forbidden = isVolume ? OTHERS : GROUP_AND_OTHERS;
  const open = [...(isVolume ? [] : [DATA_DIR]), ...files].filter(
    (path) => (statSync(path).mode & forbidden) !== 0,
  );
  if (open.length > 0) {
    return warning(
      `readable by others: ${open.join(", ")}`,
      "chmod the folder to 700 and its files to 600: they contain addresses and keys",
    );
  }
  return good(
    isVolume
      ? `DATA_DIR ${DATA_DIR} is a volume whose files are private to its group`
      : `DATA_DIR ${DATA_DIR} is private to its owner`,
  );
}

/**
 * Whether a folder is a volume that Kubernetes gave to a group of this process (`fsGroup`). Root owns it and anyone may
 * write to it, but only this container sees it. Files that existed before belong to the group.
 */
function isVolumeOfGroup(folder: string, isMounted: (folder: string) => boolean): boolean {
  const { mode, gid } = statSync(folder);
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & SETGID) !== 0 && groups.includes(gid) && isMounted(folder);
}

function isMountPoint(folder: string): boolean {
  const path = realpathSync(folder);
  return statSync(path).dev !== statSync(dirname(path)).dev;
}

/** Whether a path exists. True if this user may not check: the next use of the path then fails with the reason. */
function exists(path: string): boolean {
  try {
    return isReadable(path);
  } catch {
    return true;
  }
}

/** Checks the free space on the disk of DATA_DIR. @param freeBytes returns the free bytes of a folder's disk */
export function disk({ DATA_DIR }: Pick<Settings, "DATA_DIR">, freeBytes = bytesFree): Found {
  if (!exists(DATA_DIR)) return good("nothing is stored yet");
  const free = freeBytes(DATA_DIR);
  const summary = `${Math.floor(free / MIB).toLocaleString("en")} MiB free on the disk of DATA_DIR`;
  if (free < MIN_FREE_BYTES)
    return problem(summary, "free some space: when the disk is full, every call with a key returns 503");
  const current = readPointer(registryDirectory(DATA_DIR))?.current.bytes ?? 0;
  if (free < current * IMPORT_SIZE_FACTOR) {
    return warning(
      summary,
      `an import of the registry needs about ${Math.ceil((current * IMPORT_SIZE_FACTOR) / MIB).toLocaleString("en")} MiB: free some space first`,
    );
  }
  return good(summary);
}

function bytesFree(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
