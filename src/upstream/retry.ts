import { ExponentialBackoff, handleWhenResult, type RetryPolicy, retry } from "cockatiel";
import { withDeadline } from "../lib/deadline.ts";

export interface RetryOptions<Result> {
  readonly isWorthRetrying: (result: Result) => boolean;
  /** Mean of the first random delay before a retry, milliseconds. */
  readonly firstRetryAfterMs?: number;
}

const MAX_RETRIES = 2;
const FIRST_RETRY_AFTER_MS = 250;
const LAST_RETRY_AFTER_MS = 1_500;

/** Retries at most twice, with exponential backoff and jitter, within a deadline. */
export class Retry<Result> {
  readonly #policy: RetryPolicy;

  constructor({ isWorthRetrying, firstRetryAfterMs = FIRST_RETRY_AFTER_MS }: RetryOptions<Result>) {
    this.#policy = retry(
      handleWhenResult((result) => isWorthRetrying(result as Result)),
      {
        maxAttempts: MAX_RETRIES,
        // Decorrelated jitter, so that calls that failed together are not retried together.
        backoff: new ExponentialBackoff({ initialDelay: firstRetryAfterMs, maxDelay: LAST_RETRY_AFTER_MS }),
      },
    );
  }

  /** The result of the last try; `late` as soon as the deadline ends. Rejects only when `call` does. */
  async run(call: () => Promise<Result>, deadline: AbortSignal, late: Result): Promise<Result> {
    return (await withDeadline(deadline, this.#policy.execute(call, deadline))) ?? late;
  }
}
