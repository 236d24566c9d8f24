/** Decides whether a call is retried, and when. */
import { ConnectionError, OpzoekError, UnexpectedAnswerError } from "./errors.ts";

/** Codes whose `Retry-After` says when the same call can succeed. */
const MAY_PASS_LATER = ["RATE_LIMIT_EXCEEDED", "SERVICE_UNAVAILABLE", "CONFLICT"];

const FIRST_PAUSE_MS = 300;
/** Jitter, so that callers with the same `Retry-After` do not return together. */
const SPREAD_MS = 1_000;

/**
 * Returns the wait before the next try; undefined if a retry would fail too. Never for QUOTA_EXCEEDED, which can last
 * days.
 * @param attempt the number of tries so far
 */
export function waitBeforeRetryMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof OpzoekError)) return undefined;
  const { code, status = 0, retryAfterSeconds } = error;
  const mayPass = MAY_PASS_LATER.includes(code) || error instanceof UnexpectedAnswerError;
  if (retryAfterSeconds !== undefined && (mayPass || status >= 500) && status !== 200)
    return retryAfterSeconds * 1_000 + Math.random() * SPREAD_MS;
  // No Retry-After: exponential backoff, half of it random.
  if (error instanceof ConnectionError || status >= 500 || code === "RATE_LIMIT_EXCEEDED")
    return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  return undefined;
}
