import { once } from "node:events";
import { forceExit, withSignals } from "./signals.ts";

/** A program that runs until it is stopped. */
export interface Stoppable {
  /**
   * Announces the stop and continues for the delay in the settings; nothing is refused yet. Called once, before `stop`.
   */
  announce?(): Promise<void>;
  /** Drains and closes everything; aborts what still runs after `withinMs`. Called once. */
  stop(withinMs?: number): Promise<void>;
  /** Logs an uncaught error at once. */
  escaped(error: unknown): void;
  /** Resolved with the reason when it cannot continue: handled like an uncaught error. */
  readonly failed?: Promise<unknown>;
}

/** A listening service. */
export interface Running extends Stoppable {
  readonly address: string;
  readonly hasRegistry: boolean;
}

/** Time for running responses when a service stops; the whole stop takes less than 10 s. */
export const DRAIN_TIMEOUT_MS = 8_000;

/** The limit of the whole stop: less than 10 s in any case, half a second of it for the last log lines. */
const ENDED_WITHIN_MS = 9_400;
/** After an uncaught error the process is not trusted for long. */
const ENDED_AFTER_ESCAPE_WITHIN_MS = 2_000;
const CLOSES_WITHIN_MS = 200;
/** An abandoned start has answered no calls, so it needs no cleanup. */
export const ABANDONED_START_TIMEOUT_MS = 2_000;

/**
 * Waits for the first SIGTERM, SIGINT or SIGHUP, then drains. A second one ends the process at once, as usual. An
 * uncaught error is logged once; running work gets two seconds, then the process ends with code 1.
 */
export async function untilStopped(running: Stoppable): Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = (withinMs?: number): Promise<void> => {
    stopping ??= running.stop(withinMs);
    return stopping;
  };
  let hasEscaped = false;
  const escaped = (error: unknown): void => {
    // Further uncaught errors would only delay the end.
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
  // Both outcomes are logged, so no rejection is unhandled.
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
