import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { statePath } from "../../database/sqlite/statePath.ts";
import { isReadable } from "../../lib/readable.ts";
import { readPointer } from "../../registry/directory.ts";
import { registryDirectory } from "../../registry/paths.ts";
import { sealKeyPath } from "../compose/sealKeys.ts";
import type { Settings } from "../settings/settings.ts";
import { type Finding, good, problem, reasonOf, warning } from "./diagnosis.ts";

const MIB = 1_048_576;
/** With less free space, the next import or write to the state may fail. */
const MIN_FREE_BYTES = 256 * MIB;
/**
 * An import needs about three times `bytes` of its result, for the result, its name index, which `bytes` excludes, and
 * temporary rows.
 */
const IMPORT_SIZE_FACTOR = 3;
const GROUP_AND_OTHERS = 0o077;
const SETGID = 0o2000;
/** The number of paths of other users shown as examples, because one remedy applies to all. */
const MAX_NAMED = 5;

/**
 * Checks that this user can write to DATA_DIR, that its files have its owner, and that no one else can read them.
 * @param isMounted whether a folder is a mount point
 */
export function rights({ DATA_DIR }: Pick<Settings, "DATA_DIR">, isMounted = isMountPoint): Finding {
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
  // A volume that Kubernetes gave to a group of this process (`fsGroup`): root owns it and all may write to it, but
  // only this container sees it. Files that were there before belong to the group.
  const { mode, gid } = statSync(DATA_DIR);
  const isVolume = (mode & SETGID) !== 0 && process.getgroups?.().includes(gid) && isMounted(DATA_DIR);
  const paths = [
    ...(isVolume ? [] : [DATA_DIR]),
    state,
    `${state}-wal`,
    `${state}-shm`,
    sealKeyPath(DATA_DIR),
    join(registryDirectory(DATA_DIR), "current.json"),
  ];
  const owner = statSync(DATA_DIR).uid;
  const foreign = [DATA_DIR, registryDirectory(DATA_DIR)]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid !== owner)
    .slice(0, MAX_NAMED);
  if (foreign.length > 0 && !isVolume) {
    return problem(
      `files of another owner than DATA_DIR: ${foreign.join(", ")}`,
      "chown them to the owner of DATA_DIR, and run commands as that user",
    );
  }
  const forbidden = isVolume ? 0o007 : GROUP_AND_OTHERS;
  const open = paths.filter((path) => existsSync(path) && (statSync(path).mode & forbidden) !== 0);
  if (open.length > 0) {
    return warning(
      `readable by others: ${open.join(", ")}`,
      "chmod the folder to 700 and its files to 600: they contain addresses and keys",
    );
  }
  return good(`DATA_DIR ${DATA_DIR} is ${isVolume ? "a volume with private files" : "private to its owner"}`);
}

const isMountPoint = (folder: string) => statSync(folder).dev !== statSync(`${folder}/..`).dev;

/** Whether a path exists. True if this user may not check: the next use of the path then fails with the reason. */
function exists(path: string): boolean {
  try {
    return isReadable(path);
  } catch {
    return true;
  }
}

/** Checks the free space on the disk of DATA_DIR. @param freeBytes returns the free bytes of a folder's disk */
export function disk({ DATA_DIR }: Pick<Settings, "DATA_DIR">, freeBytes = bytesFree): Finding {
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
