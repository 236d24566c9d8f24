import { ExponentialBackoff, handleWhenResult, type RetryPolicy, retry } from "cockatiel";
import { withDeadline } from "../lib/deadline.ts";

export interface RetryOptions<Result> {
  readonly isWorthRetrying: (result: Result) => boolean;
  /** The middle of the first, scattered pause before another try, milliseconds. */
  readonly firstRetryAfterMs?: number;
}

const MAX_RETRIES = 2;
const FIRST_RETRY_AFTER_MS = 250;
const LAST_RETRY_AFTER_MS = 1_500;

/** Retries where that can help: twice at most, with growing, scattered pauses (exponential backoff with jitter), within a deadline. */
export class Retry<Result> {
  readonly #policy: RetryPolicy;

  constructor({ isWorthRetrying, firstRetryAfterMs = FIRST_RETRY_AFTER_MS }: RetryOptions<Result>) {
    this.#policy = retry(
      handleWhenResult((result) => isWorthRetrying(result as Result)),
      {
        maxAttempts: MAX_RETRIES,
        // Its delays are random ("decorrelated jitter"), so that those who failed together do not come back together.
        backoff: new ExponentialBackoff({ initialDelay: firstRetryAfterMs, maxDelay: LAST_RETRY_AFTER_MS }),
      },
    );
  }

  /** The last result of the calls; `late` as soon as the deadline ends, whatever is under way. Rejects only when `call` does. */
  async run(call: () => Promise<Result>, deadline: AbortSignal, late: Result): Promise<Result> {
    return (await withDeadline(deadline, this.#policy.execute(call, deadline))) ?? late;
  }
}
