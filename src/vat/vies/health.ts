import { MAX_PAUSE_MS } from "../../upstream/breaker.ts";
import type { Breakers } from "./breakers.ts";
import type { Availability, ViesUpstream } from "./upstream.ts";

export type ViesState = "up" | "degraded" | "down";

/** Shorter than a failure is believed: a page that decides after one was asked since. */
const BELIEVED_FOR_MS = 30_000;
const ASK_WITHIN_MS = 2_000;

/** The last status of VIES; `unreachable` when there was no response, undefined when it made no sense. */
type Status = Availability | "unreachable" | undefined;

/**
 * Tells how VIES is, from its own status page, asked twice a minute at most and never within its `Retry-After`, and from how calls went: `down` when all
 * of it is away, `degraded` when some states are. A status page that cannot be read proves nothing. Calls that failed are
 * believed before the page, until they are over and a minute ago: then the page that was asked since decides.
 */
export function viesHealth(
  upstream: Pick<ViesUpstream, "availability">,
  breakers: Breakers,
  now: () => number = () => performance.now(),
): () => Promise<ViesState> {
  let asked: Promise<Status> | undefined;
  let askAgainAtMs = 0;
  const ask = async (nowMs: number): Promise<Status> => {
    const page = await upstream.availability(AbortSignal.timeout(ASK_WITHIN_MS));
    if (page === undefined || !("retryAfterSeconds" in page)) return page;
    const pauseMs = Math.min(page.retryAfterSeconds * 1_000, MAX_PAUSE_MS);
    askAgainAtMs = Math.max(askAgainAtMs, nowMs + pauseMs);
    return undefined;
  };
  return async () => {
    // Then the page would decide nothing, and VIES may have asked to be left alone.
    if (breakers.failing.all) return "down";
    const nowMs = now();
    if (asked === undefined || nowMs >= askAgainAtMs) {
      askAgainAtMs = nowMs + BELIEVED_FOR_MS;
      asked = ask(nowMs).catch(() => "unreachable" as const);
    }
    const status = await asked;
    // Looked at last: what fails while the page is asked counts.
    const { all, states } = breakers.failing;
    if (all || status === "unreachable" || status?.isAvailable === false) return "down";
    return states.length > 0 || (status?.unavailableStates.length ?? 0) > 0 ? "degraded" : "up";
  };
}
