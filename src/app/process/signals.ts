import { withDeadline } from "../../lib/deadline.ts";

/** The signals that end this process, handled by work that must not be interrupted by one. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** Everything is closed: the process is held only by unread output, or by an abandoned start. */
const HELD_FOR_MS = 500;

/** It was stopped before it ran: not a failure. */
export class StartCancelled extends Error {
  constructor() {
    super("this process was stopped while it started");
    this.name = "StartCancelled";
  }
}

let heeded: AbortSignal | undefined;

/**
 * Runs work that handles signals from beginning to end: the first signal aborts its `AbortSignal` and does nothing else.
 * Nested calls share it. Returns normally when the work throws {@link StartCancelled}. A second signal of the same kind has
 * its default effect and ends the process (`preflight.js` does so for the first process of a container).
 */
export async function withSignals(work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
  if (heeded !== undefined) return work(heeded);
  const controller = new AbortController();
  const stop = () => controller.abort();
  heeded = controller.signal;
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await work(controller.signal);
  } catch (error) {
    if (!(error instanceof StartCancelled)) throw error;
    forceExit();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    heeded = undefined;
  }
}

/** Waits for work. @throws {StartCancelled} (the promise) as soon as the process is to end, whatever the work does */
export async function orStopped<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const done = await withDeadline(
    stopping,
    work.then((value) => ({ value })),
  );
  if (done === undefined) throw new StartCancelled();
  return done.value;
}

/** Ends the process soon in any case, as a requested end. */
export function forceExit(afterMs = HELD_FOR_MS): void {
  setTimeout(() => process.exit(), afterMs).unref();
}
