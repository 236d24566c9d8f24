import type { Balance } from "../metering/store.ts";

/** Headers that a browser's script may read. */
export const EXPOSED_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Tokens-Remaining",
  "X-Tokens-Charged",
  "X-Tokens-Reset",
  "X-Request-Id",
  "Retry-After",
  "WWW-Authenticate",
  "Allow",
  "ETag",
  "Accept-Ranges",
  "Content-Range",
  "Content-Disposition",
  "Idempotency-Replayed",
] as const;

/** What every answer carries, besides its `x-request-id`. */
export const COMMON = { "x-content-type-options": "nosniff" } as const;

/** Any page may read what the API answers: keys are in headers, and no cookie is looked at. */
export const CROSS_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
} as const;

/** Longer waits overflow the timers of clients. */
const MOST_RETRY_AFTER_SECONDS = 86_400;

/** What every answer to a call with a good key carries; never without one. */
export function balanceHeaders(balance: Balance, charged: number) {
  return {
    "x-ratelimit-limit": balance.rateLimit,
    "x-ratelimit-remaining": balance.rateRemaining,
    "x-ratelimit-reset": balance.rateResetSeconds,
    "x-tokens-remaining": balance.tokensRemaining,
    "x-tokens-charged": charged,
    "x-tokens-reset": balance.tokensResetSeconds,
    "cache-control": "private, no-store",
  };
}

/** Seconds from the store's moment to a reset, 1 to a day. */
export function secondsUntil(resetSeconds: number, nowMs: number): number {
  return Math.min(MOST_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(resetSeconds - nowMs / 1_000)));
}
