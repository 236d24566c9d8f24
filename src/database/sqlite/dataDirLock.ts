/** Exclusive use of the embedded state of a data folder: by one service, or a command that replaces the state. */

import { readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Lock, takeFileLock } from "../../lib/fileLock.ts";
import { writeInPlace } from "../../lib/inPlace.ts";
import { makeOwnFolder } from "../../lib/ownFiles.ts";
import { StateRefused } from "../stateErrors.ts";

const LOCK = "serving-lock.sqlite";
/**
 * Information about the holder of the lock, in its own file because a locked SQLite file cannot be read. It may be
 * outdated, because a killed process leaves it behind.
 */
const HOLDER = "serving.json";

/** The command that has the lock: `serve` and `demo` keep it while they run. */
const LOCK_PURPOSES = ["serve", "restore", "state migrate"] as const;
export type LockPurpose = (typeof LOCK_PURPOSES)[number];

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601 UTC */
  readonly since: string;
  readonly work: LockPurpose;
}

/**
 * Locks the embedded state of `dataDir` for this process, until it is released or the process ends for any reason.
 * Other commands work while a service runs and do not need it.
 * @throws {StateRefused} at once if another process has it; the message identifies that process
 */
export function lockDataDir(dataDir: string, work: LockPurpose, now: () => number = Date.now): Lock {
  const holderPath = join(dataDir, HOLDER);
  let lock: Lock | undefined;
  try {
    makeOwnFolder(dataDir);
    lock = takeFileLock(join(dataDir, LOCK));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StateRefused(
      `DATA_DIR ${dataDir} cannot be written (${reason}): check that it is writable and has free space`,
      error,
    );
  }
  if (lock === undefined) throw new StateRefused(refusal(dataDir, readHolder(holderPath)));
  const fileLock = lock;
  recordHolder(dataDir, { pid: process.pid, host: hostname(), since: new Date(now()).toISOString(), work });
  return {
    release() {
      rmSync(holderPath, { force: true });
      fileLock.release();
    },
  };
}

/** Without space on the disk the holder is not recorded, which must not stop the program. */
function recordHolder(dataDir: string, holder: Holder): void {
  try {
    writeInPlace(dataDir, HOLDER, `${JSON.stringify(holder)}\n`);
  } catch {
    rmSync(join(dataDir, HOLDER), { force: true });
  }
}

function refusal(dataDir: string, holder: Holder | undefined): string {
  const remedy = "stop it first, or set another DATA_DIR; nodes that share a state need DATABASE_URL";
  if (holder === undefined) return `DATA_DIR ${dataDir} is in use by another process: ${remedy}`;
  const { pid, host, since, work } = holder;
  return `DATA_DIR ${dataDir} is in use by \`opzoek ${work}\`, process ${pid} on ${host}, since ${since}: ${remedy}`;
}

/** Undefined if it is unknown, or the recorded process of this machine has ended. */
function readHolder(path: string): Holder | undefined {
  try {
    const { pid, host, since, work }: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof pid !== "number" || typeof host !== "string" || typeof since !== "string") return undefined;
    if (host === hostname() && !isAlive(pid)) return undefined;
    return { pid, host, since, work: LOCK_PURPOSES.find((known) => known === work) ?? "serve" };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user also exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
