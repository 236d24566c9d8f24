/** How long the ending of a service may take, for one thread and for several, and that of one that was still starting. */
import type { StateThread } from "../../storage/thread/stateThread.ts";
import type { Log } from "../log/log.ts";
import { StartStopped } from "../process/signals.ts";
import { DRAIN_WITHIN_MS, exitWhenGivenUp } from "../process/untilStopped.ts";

/** A state that is not closed so long after the time to drain, when no call is left that could be charged, is told and left. */
const STATE_CLOSES_WITHIN_MS = 300;
/** An answer out of what is held takes no longer than what is left of the time. */
const WAIT_FOR_UPSTREAMS_MS = 4_500;

/**
 * How long a stop leaves those who wait for KVK or VIES waiting; after it they are told what is held.
 * @param withinMs the time that the stop has in all
 */
export function waitForUpstreamsMs(withinMs: number = DRAIN_WITHIN_MS): number {
  return withinMs < DRAIN_WITHIN_MS ? withinMs / 2 : WAIT_FOR_UPSTREAMS_MS;
}

/**
 * Leaves a state that does not close in time, which is told: whoever still waits for it, in any thread, goes on without.
 * @param withinMs the time that the stop has
 * @returns ends the watch, once all is closed
 */
export function leaveStateInTime(state: Pick<StateThread, "leave">, log: Log, withinMs: number): () => void {
  const late = setTimeout(() => {
    log.logger.error(
      "the state does not answer, and is left: what is still counted in memory is lost, no charge is; look at its server",
    );
    log.flushSoon();
    state.leave();
  }, withinMs + STATE_CLOSES_WITHIN_MS).unref();
  return () => clearTimeout(late);
}

/**
 * What a start does first with an error that ends it. One that was told to end, and has answered nobody, waits for nothing: a state that is not
 * open yet is left.
 */
export function giveUpInTime(
  error: unknown,
  { logger }: Log,
  stateThread: Pick<StateThread, "leave">,
  isStateOpen: boolean,
): void {
  if (!(error instanceof StartStopped)) return;
  logger.info("told to end before it listened: stopped");
  exitWhenGivenUp();
  if (!isStateOpen) stateThread.leave();
}
