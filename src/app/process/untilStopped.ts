import { once } from "node:events";
import { exitIfHeld, heedingSignals } from "./signals.ts";

/** What runs until it is told to end. */
export interface Stoppable {
  /** Says that it is about to end and goes on for as long as the settings want; nothing is refused yet. Called once, before `stop`. */
  announce?(): Promise<void>;
  /** Drains and closes everything; what still runs after `withinMs` is cut. Called once. */
  stop(withinMs?: number): Promise<void>;
  /** Tells the operator, at once, of an error that nobody caught. */
  escaped(error: unknown): void;
  /** Fulfilled with the reason when it can do nothing any more: that is an error nobody caught. */
  readonly failed?: Promise<unknown>;
}

/** A service that listens. */
export interface Running extends Stoppable {
  readonly address: string;
  readonly hasRegistry: boolean;
}

/** Running answers get this long to finish when a service ends; the whole end takes less than 10 s. */
export const DRAIN_WITHIN_MS = 8_000;

/** The whole end takes less than 10 s, whatever hangs, with the last lines of the log, for which half a second is taken. */
const ENDED_WITHIN_MS = 9_400;
/** After an error that nobody caught the process is not to be trusted for long. */
const ENDED_AFTER_ESCAPE_WITHIN_MS = 2_000;
const CLOSES_WITHIN_MS = 200;
/** A start that is given up has answered nobody: what it has opened may be left as it is. */
export const GIVEN_UP_WITHIN_MS = 2_000;

/**
 * Waits for the first SIGTERM, SIGINT or SIGHUP, then drains. A second one ends the process at once, as usual. An error that
 * nobody caught is told once; what is under way may end within two seconds, then the process ends with code 1.
 */
export async function untilStopped(running: Stoppable): Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = (withinMs?: number): Promise<void> => {
    stopping ??= running.stop(withinMs);
    return stopping;
  };
  let hasEscaped = false;
  const escaped = (error: unknown): void => {
    // What escapes while the process ends is of the same kind, and would only hold up the end.
    if (hasEscaped) return;
    hasEscaped = true;
    exitAfter(ENDED_AFTER_ESCAPE_WITHIN_MS);
    running.escaped(error);
    // However the draining ends, the process does; should it never end, the timer above ends the process.
    void stop(ENDED_AFTER_ESCAPE_WITHIN_MS - CLOSES_WITHIN_MS).then(exitFailed, exitFailed);
  };
  // Nobody reads what is said to a person any more: no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.on("uncaughtException", escaped);
  process.on("unhandledRejection", escaped);
  // What it rejects with and what it resolves with are both told: neither is left to nobody.
  void running.failed?.then(escaped, escaped);
  await heedingSignals(async (stopping) => {
    if (!stopping.aborted) await once(stopping, "abort");
    await running.announce?.();
    exitAfter(ENDED_WITHIN_MS).unref();
    await stop();
  });
  if (hasEscaped) exitFailed();
  exitIfHeld();
}

function exitFailed(): void {
  process.exit(1);
}

function exitAfter(ms: number): NodeJS.Timeout {
  return setTimeout(exitFailed, ms);
}
