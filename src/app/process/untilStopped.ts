import { once } from "node:events";
import { forceExit, withSignals } from "./signals.ts";

/** A program that runs until it is stopped. */
export interface Stoppable {
  /** Announces the end and continues for the delay in the settings; nothing is refused yet. Called once, before `stop`. */
  announce?(): Promise<void>;
  /** Drains and closes everything; what still runs after `withinMs` is aborted. Called once. */
  stop(withinMs?: number): Promise<void>;
  /** Logs an uncaught error at once. */
  escaped(error: unknown): void;
  /** Fulfilled with the reason when it cannot continue: handled like an uncaught error. */
  readonly failed?: Promise<unknown>;
}

/** A listening service. */
export interface Running extends Stoppable {
  readonly address: string;
  readonly hasRegistry: boolean;
}

/** The time for running answers when a service ends; the whole end takes less than 10 s. */
export const DRAIN_TIMEOUT_MS = 8_000;

/** The limit of the whole end: less than 10 s in any case, half a second of it for the last lines of the log. */
const ENDED_WITHIN_MS = 9_400;
/** After an uncaught error the process is not trusted for long. */
const ENDED_AFTER_ESCAPE_WITHIN_MS = 2_000;
const CLOSES_WITHIN_MS = 200;
/** An abandoned start has answered nobody: it need not be cleaned up. */
export const ABANDONED_START_TIMEOUT_MS = 2_000;

/**
 * Waits for the first SIGTERM, SIGINT or SIGHUP, then drains. A second one ends the process at once, as usual. An
 * uncaught error is logged once; running work may end within two seconds, then the process ends with code 1.
 */
export async function untilStopped(running: Stoppable): Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = (withinMs?: number): Promise<void> => {
    stopping ??= running.stop(withinMs);
    return stopping;
  };
  let hasEscaped = false;
  const escaped = (error: unknown): void => {
    // Further uncaught errors during the end would only delay it.
    if (hasEscaped) return;
    hasEscaped = true;
    exitAfter(ENDED_AFTER_ESCAPE_WITHIN_MS);
    running.escaped(error);
    // The process ends however the drain ends; if it never does, the timer above ends the process.
    void stop(ENDED_AFTER_ESCAPE_WITHIN_MS - CLOSES_WITHIN_MS).then(exitFailed, exitFailed);
  };
  // A closed terminal is not a reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", escaped);
  process.on("unhandledRejection", escaped);
  // Both outcomes are logged, so nothing is left unhandled.
  void running.failed?.then(escaped, escaped);
  await withSignals(async (stopping) => {
    if (!stopping.aborted) await once(stopping, "abort");
    await running.announce?.();
    exitAfter(ENDED_WITHIN_MS).unref();
    await stop();
  });
  if (hasEscaped) exitFailed();
  forceExit();
}

function exitFailed(): void {
  process.exit(1);
}

function exitAfter(ms: number): NodeJS.Timeout {
  return setTimeout(exitFailed, ms);
}
