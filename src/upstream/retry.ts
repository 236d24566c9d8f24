import { setTimeout as pause } from "node:timers/promises";

export interface RetryOptions<Result> {
  readonly isWorthRetrying: (result: Result) => boolean;
  readonly maxRetries: number;
  /** Mean of the first random delay before a retry, milliseconds. */
  readonly firstRetryAfterMs?: number | undefined;
  /** Ends the delays; no retry begins after it. */
  readonly deadline: AbortSignal;
}

const FIRST_RETRY_AFTER_MS = 250;
const MAX_DELAY_MS = 1_500;

/**
 * The result of the last try. Delays double, and are random so that calls that failed together are not retried
 * together.
 */
export async function retry<Result>(
  call: () => Promise<Result>,
  { isWorthRetrying, maxRetries, firstRetryAfterMs = FIRST_RETRY_AFTER_MS, deadline }: RetryOptions<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries++) {
    const result = await call();
    if (retries === maxRetries || !isWorthRetrying(result)) return result;
    const delayMs = Math.min(2 * Math.random() * firstRetryAfterMs * 2 ** retries, MAX_DELAY_MS);
    await pause(delayMs, undefined, { signal: deadline }).catch(() => {});
    if (deadline.aborted) return result;
  }
}
