import { withDeadline } from "../../lib/deadline.ts";

/** Signals that end this process, handled by work that must not be interrupted. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** Everything is closed: only unread output or an abandoned start keeps the process alive. */
const EXIT_GRACE_MS = 500;

/** Thrown when the process is stopped during its start: not a failure. */
export class StartCancelled extends Error {
  constructor() {
    super("the process was stopped during its start");
    this.name = "StartCancelled";
  }
}

let heeded: AbortSignal | undefined;

/**
 * Runs work that handles signals from beginning to end: the first signal aborts its `AbortSignal` and has no other
 * effect. Nested calls share it. Returns normally if the work throws {@link StartCancelled}. A second signal of the
 * same kind has its default effect and ends the process (`preflight.js` does this for the first process of a
 * container).
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

/** Waits for work. @throws {StartCancelled} (the promise) as soon as the process should end, whatever the work does */
export async function orStopped<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const done = await withDeadline(
    stopping,
    work.then((value) => ({ value })),
  );
  if (done === undefined) throw new StartCancelled();
  return done.value;
}

/** Ends the process soon in any case, with the exit code of a requested stop. */
export function forceExit(afterMs = EXIT_GRACE_MS): void {
  setTimeout(() => process.exit(), afterMs).unref();
}
