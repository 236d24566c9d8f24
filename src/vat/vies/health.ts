import { MAX_PAUSE_MS } from "../../upstream/breaker.ts";
import type { ViesBreakers } from "./breakers.ts";
import type { Availability, ViesUpstream } from "./upstream.ts";

export type ViesState = "up" | "degraded" | "down";

/** Shorter than failures count, so that a status which decides after a failure is a newer one. */
const CACHED_FOR_MS = 30_000;
const ASK_WITHIN_MS = 2_000;

/** The last status of VIES; `unreachable` without a response, undefined if it could not be read. */
type Status = Availability | "unreachable" | undefined;

/**
 * The state of VIES, from its own status (requested at most twice a minute and not within its `Retry-After`) and from
 * our calls: `down` when VIES as a whole fails, `degraded` when some states do. A status that cannot be read is
 * ignored. Failed calls take precedence over the status until they are a minute old.
 */
export function viesHealth(
  upstream: Pick<ViesUpstream, "availability">,
  breakers: Pick<ViesBreakers, "failing">,
  now: () => number = () => performance.now(),
): () => Promise<ViesState> {
  let request: Promise<Status> | undefined;
  let askAgainAtMs = 0;
  const ask = async (nowMs: number): Promise<Status> => {
    const page = await upstream.availability(AbortSignal.timeout(ASK_WITHIN_MS));
    if (page === undefined || !("retryAfterSeconds" in page)) return page;
    const pauseMs = Math.min(page.retryAfterSeconds * 1_000, MAX_PAUSE_MS);
    askAgainAtMs = Math.max(askAgainAtMs, nowMs + pauseMs);
    return undefined;
  };
  return async () => {
    // The status would not matter, and VIES may have asked for a pause.
    if (breakers.failing.isShared) return "down";
    const nowMs = now();
    if (request === undefined || nowMs >= askAgainAtMs) {
      askAgainAtMs = nowMs + CACHED_FOR_MS;
      request = ask(nowMs).catch(() => "unreachable" as const);
    }
    const status = await request;
    // Read last, so that failures during the request count.
    const { isShared, targets: states } = breakers.failing;
    if (isShared || status === "unreachable" || status?.isAvailable === false) return "down";
    return states.length > 0 || (status?.unavailableStates.length ?? 0) > 0 ? "degraded" : "up";
  };
}
