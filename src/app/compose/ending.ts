/** How long the end of a service may take. */
import type { Log } from "../log/log.ts";
import { DRAIN_WITHIN_MS } from "../process/untilStopped.ts";

/** Time that the state has to close after the time to drain: then no call is left that could be charged. */
const STATE_CLOSES_WITHIN_MS = 300;
/** A response from what is held takes no longer than the rest of the time. */
const WAIT_FOR_UPSTREAMS_MS = 4_500;

/**
 * How long callers go on waiting for KVK or VIES during a stop; then they get what is held.
 * @param withinMs the time that the stop has in all
 */
export function waitForUpstreamsMs(withinMs: number = DRAIN_WITHIN_MS): number {
  return withinMs < DRAIN_WITHIN_MS ? withinMs / 2 : WAIT_FOR_UPSTREAMS_MS;
}

/**
 * Waits until all is closed, but not for a state that does not respond: that is logged, and the end goes on without it.
 * @param withinMs the time to drain
 */
export async function inTime(closing: Promise<unknown>, withinMs: number, log: Log): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    log.logger.error(
      "the state does not respond, and is left: counts still in memory are lost, no charge is; check its server",
    );
    resolve();
  }, withinMs + STATE_CLOSES_WITHIN_MS);
  try {
    await Promise.race([closing, late]);
  } finally {
    clearTimeout(timer);
  }
}
