import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { OperatorError } from "../../lib/operatorError.ts";
import type { Running } from "./untilStopped.ts";

/** What a worker process tells the one that started it. */
export type WorkerNote = Pick<Running, "address" | "hasRegistry"> | { readonly failure: string };

/** A worker could not start; the message is its own. */
export class WorkerFailed extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "WorkerFailed";
  }
}

export interface WorkersOptions {
  readonly count: number;
  /** What the workers share, and must not be 0. */
  readonly port: number;
  /** Called when a worker ended by itself; another takes its place after `againInMs`. */
  readonly onLost: (lost: {
    pid: number | undefined;
    code: number | null;
    signal: string | null;
    againInMs: number;
  }) => void;
  /** Workers that take longer to drain are killed. */
  readonly stopWithinMs: number;
}

const AGAIN_AFTER_MS = 250;
const AGAIN_AFTER_AT_MOST_MS = 8_000;

/**
 * Runs several processes that listen on one address and share its connections out. One that ends by itself is replaced,
 * later each time while the new ones do not start either.
 * @throws {WorkerFailed} when one of the first cannot start; the others are stopped then
 */
export async function startWorkers(options: WorkersOptions): Promise<Omit<Running, "escaped">> {
  const { count, port, onLost, stopWithinMs } = options;
  // The same program, which sees by itself that it is a worker.
  // No signal opens a debugger in it, from its first moment on.
  cluster.setupPrimary({ args: [], execArgv: [...process.execArgv, "--disable-sigusr1"] });
  const stopping = new AbortController();
  let failures = 0;
  const start = () => cluster.fork({ PORT: String(port) });

  const replace = async (worker: Worker, code: number | null, signal: string | null): Promise<void> => {
    const againInMs = Math.min(AGAIN_AFTER_MS * 2 ** failures, AGAIN_AFTER_AT_MOST_MS);
    failures += 1;
    onLost({ pid: worker.process.pid, code, signal, againInMs });
    await pause(againInMs, undefined, { signal: stopping.signal });
    keep(start(), (note: WorkerNote) => {
      if ("address" in note) failures = 0;
    });
  };
  /** Has a worker replaced when it ends. */
  const keep = (worker: Worker, onStarted: (note: WorkerNote) => void = () => {}): void => {
    worker.once("message", onStarted);
    const onExit = (code: number | null, signal: string | null) => {
      if (!stopping.signal.aborted) replace(worker, code, signal).catch(() => {});
    };
    // One of the first may have ended while others were still starting.
    if (worker.isDead()) onExit(worker.process.exitCode, worker.process.signalCode);
    else worker.once("exit", onExit);
  };

  const workers = Array.from({ length: count }, start);
  const stop = (withinMs = stopWithinMs) => {
    stopping.abort();
    return stopAll(withinMs);
  };
  try {
    const [first] = await Promise.all(workers.map(started));
    if (first === undefined) throw new WorkerFailed("no worker was asked for: set WORKERS to 1 or more");
    for (const worker of workers) keep(worker);
    return { ...first, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first note of a worker. */
function started(worker: Worker): Promise<Pick<Running, "address" | "hasRegistry">> {
  return new Promise((resolve, reject) => {
    worker.once("message", (note: WorkerNote) => {
      if ("failure" in note) reject(new WorkerFailed(note.failure));
      else resolve(note);
    });
    // An exit may be heard of before the last note, a closed channel only after it.
    const ended = Promise.all([once(worker, "exit"), once(worker, "disconnect")]);
    ended.then(
      ([[code, signal]]) =>
        reject(
          new WorkerFailed(
            `a worker ended (${signal ?? `code ${code}`}) before it listened: see its lines above`,
          ),
        ),
      reject,
    );
  });
}

async function stopAll(withinMs: number): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const kill = setTimeout(() => {
    for (const worker of workers) worker.process.kill("SIGKILL");
  }, withinMs);
  await Promise.all(
    workers.map(async (worker) => {
      if (worker.isDead()) return;
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.process.kill("SIGTERM");
      await ended;
    }),
  );
  clearTimeout(kill);
}
