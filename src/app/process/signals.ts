import { withDeadline } from "../../lib/deadline.ts";

/** The signals by which this process is told to end, heeded by whatever must not be cut by one. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** All is closed: what still holds the process is output that nobody reads, or what a start had begun. */
const HELD_FOR_MS = 500;

/** It was told to end before it ran: no failure. */
export class StartStopped extends Error {
  constructor() {
    super("this was told to end while it started");
    this.name = "StartStopped";
  }
}

let heeded: AbortSignal | undefined;

/**
 * Does something that heeds signals from its first line to its last: what it is given is aborted by the first one, which ends nothing by itself. What is
 * done within it heeds the same. Ends well when it throws {@link StartStopped}. A second signal of the same kind ends the process at once: nobody heeds it
 * any more, and what it does then is what it does to every program (`preflight.js` does it for the first process of a container).
 */
export async function heedingSignals(work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
  if (heeded !== undefined) return work(heeded);
  const told = new AbortController();
  const stop = () => told.abort();
  heeded = told.signal;
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await work(told.signal);
  } catch (error) {
    if (!(error instanceof StartStopped)) throw error;
    exitIfHeld();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    heeded = undefined;
  }
}

/** @throws {StartStopped} (the promise) as soon as the process is told to end, whatever becomes of the work */
export async function unlessStopped<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const done = await withDeadline(
    stopping,
    work.then((value) => ({ value })),
  );
  if (done === undefined) throw new StartStopped();
  return done.value;
}

/** Ends the process soon, whatever holds it: as an end that was asked for. */
export function exitIfHeld(afterMs = HELD_FOR_MS): void {
  setTimeout(() => process.exit(), afterMs).unref();
}
