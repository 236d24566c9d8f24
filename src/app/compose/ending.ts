/** How long the ending of a service may take, for one thread and for several. */
import type { Log } from "../log/log.ts";
import { DRAIN_WITHIN_MS } from "../process/untilStopped.ts";

/** What has not closed so long after the time to drain is told, and left. */
const CLOSES_WITHIN_MS = 1_000;
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
 * Begins to watch that what is stopped also closes, and tells the log when it does not in time.
 * @param withinMs the time that the stop has
 * @returns ends the watch, once all is closed
 */
export function watchClosing(log: Log, withinMs: number): () => void {
  const late = setTimeout(() => {
    log.logger.error("the state does not close, and is left open: its server may be away");
    log.flushSoon();
  }, withinMs + CLOSES_WITHIN_MS).unref();
  return () => clearTimeout(late);
}
