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

/** What a browser is told that asks before it calls. */
export const PREFLIGHTS = {
  origin: "*",
  methods: ["GET", "HEAD", "POST"],
  allowedHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "If-Range",
    "Range",
    "traceparent",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
  ],
  exposedHeaders: [...EXPOSED_HEADERS],
  maxAge: 86_400,
  strictPreflight: false,
};

/** Longer waits overflow the timers of clients. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** The headers of every response to a call with a good key; nobody may store it unless another header allows it. */
export function balanceHeaders(balance: Balance, charged: number): Readonly<Record<string, string | number>> {
  return {
    "x-ratelimit-limit": balance.rateLimit,
    "x-ratelimit-remaining": balance.rateRemaining,
    "x-ratelimit-reset": balance.rateResetSeconds,
    "x-tokens-remaining": balance.tokensRemaining,
    "x-tokens-charged": charged,
    "x-tokens-reset": balance.tokensResetSeconds,
    "cache-control": NOT_STORED,
  };
}

/** A response is sold to one account: neither a proxy nor the client may store it. */
const NOT_STORED = "private, no-store";

/** Seconds from the store's moment to a reset, 1 to a day. */
export function secondsUntil(resetSeconds: number, nowMs: number): number {
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(resetSeconds - nowMs / 1_000)));
}
