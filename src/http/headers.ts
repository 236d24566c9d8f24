import type { Balance } from "../metering/store.ts";
import { type HeadLines, headersIn, type OwnHeaders } from "./headLines.ts";

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
const MOST_RETRY_AFTER_SECONDS = 86_400;

/** What every answer to a call with a good key carries, as lines of its head; never without one. */
export function balanceLines(balance: Balance, charged: number): HeadLines {
  return `x-ratelimit-limit: ${balance.rateLimit}\r\nx-ratelimit-remaining: ${balance.rateRemaining}\r\nx-ratelimit-reset: ${balance.rateResetSeconds}\r\nx-tokens-remaining: ${balance.tokensRemaining}\r\nx-tokens-charged: ${charged}\r\nx-tokens-reset: ${balance.tokensResetSeconds}\r\n`;
}

/** The same, and that nobody may hold the answer. */
export function balanceHeaders(balance: Balance, charged: number): OwnHeaders {
  return { ...headersIn(balanceLines(balance, charged)), "cache-control": UNHELD };
}

/** What is answered to a key is sold to its account: nothing between may keep it, nor the client by itself. */
export const UNHELD = "private, no-store";

/** Seconds from the store's moment to a reset, 1 to a day. */
export function secondsUntil(resetSeconds: number, nowMs: number): number {
  return Math.min(MOST_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(resetSeconds - nowMs / 1_000)));
}
