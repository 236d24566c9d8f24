/** Who has the embedded state of a data folder for itself: one service, or a command that puts another state in its place. */
import { readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Lock, takeFileLock } from "../../lib/fileLock.ts";
import { writeInPlace } from "../../lib/inPlace.ts";
import { makeOwnFolder } from "../../lib/ownFiles.ts";
import { StateRefused } from "../stateStore.ts";

const LOCK = "serving-lock.sqlite";
/** Says who has the lock: SQLite lets nobody read what is locked. It proves nothing, as a process that is killed leaves it. */
const HOLDER = "serving.json";

/** The command that has it: `serve` and `demo` keep it for as long as they run. */
const HOLDINGS = ["serve", "restore", "state migrate"] as const;
export type Holding = (typeof HOLDINGS)[number];

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601 UTC */
  readonly since: string;
  readonly work: Holding;
}

/**
 * Takes the embedded state of `dataDir` for this process, until it is released or the process ends, however it ends. Commands of the terminal work
 * beside a service and do not ask for it.
 * @throws {StateRefused} at once when another process has it; the message says which
 */
export function takeDataDir(dataDir: string, work: Holding, now: () => number = Date.now): Lock {
  const holderPath = join(dataDir, HOLDER);
  let lock: Lock | undefined;
  try {
    makeOwnFolder(dataDir);
    lock = takeFileLock(join(dataDir, LOCK));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StateRefused(
      `DATA_DIR ${dataDir} cannot be written (${reason}): check that it may be, and has room`,
      error,
    );
  }
  if (lock === undefined) throw new StateRefused(refusal(dataDir, readHolder(holderPath)));
  const held = lock;
  noteHolder(dataDir, { pid: process.pid, host: hostname(), since: new Date(now()).toISOString(), work });
  return {
    release() {
      rmSync(holderPath, { force: true });
      held.release();
    },
  };
}

/** On a disk that is full nobody learns who has it, which is no reason not to run. */
function noteHolder(dataDir: string, holder: Holder): void {
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

/** Undefined when it cannot be told, or when what is written is of a process of this machine that has ended. */
function readHolder(path: string): Holder | undefined {
  try {
    const { pid, host, since, work }: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof pid !== "number" || typeof host !== "string" || typeof since !== "string") return undefined;
    if (host === hostname() && !isAlive(pid)) return undefined;
    return { pid, host, since, work: HOLDINGS.find((known) => known === work) ?? "serve" };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of another user is there, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
