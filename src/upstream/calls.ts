import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type BulkheadPolicy,
  bulkhead,
  ExponentialBackoff,
  handleWhenResult,
  isBulkheadRejectedError,
  isTaskCancelledError,
  type RetryPolicy,
  retry,
} from "cockatiel";
import { withDeadline } from "../lib/deadline.ts";

/** Runs work that waits for an upstream, and observes how it went: `outcomeOf` names its result by a word of a fixed set. */
export type ObserveWait = <T>(work: () => Promise<T>, outcomeOf: (result: T) => string) => Promise<T>;

/** A bulkhead: so many calls are under way at once, and the others wait for their turn, so that a slow upstream cannot use up everything. */
export class Bulkhead {
  readonly #policy: BulkheadPolicy;

  /** @param mostWaiting beyond it a call is told at once that it waits in vain */
  constructor(atOnce: number, mostWaiting: number) {
    this.#policy = bulkhead(atOnce, mostWaiting);
  }

  /**
   * Runs `call` in its turn; undefined when its turn did not come before `deadline`, which is known no sooner than the turn comes. Rejects
   * only when `call` does.
   */
  async run<Result>(call: () => Promise<Result>, deadline: AbortSignal): Promise<Result | undefined> {
    let hasWaited = false;
    try {
      const running = this.#policy.execute(async () => {
        // The deadlines of waiting calls often end together: each would start as the one before it is cut, and be cut at once.
        if (hasWaited) await nextTurn();
        return deadline.aborted ? undefined : call();
      }, deadline);
      hasWaited = true;
      return await running;
    } catch (error) {
      if (isBulkheadRejectedError(error) || isTaskCancelledError(error)) return undefined;
      throw error;
    }
  }
}

export interface RetryOptions<Result> {
  readonly isWorthRetrying: (result: Result) => boolean;
  /** The middle of the first, scattered pause before another try, milliseconds. */
  readonly firstRetryAfterMs?: number;
}

const MOST_RETRIES = 2;
const FIRST_RETRY_AFTER_MS = 250;
const LAST_RETRY_AFTER_MS = 1_500;

/** Retries where that can help: twice at most, with growing, scattered pauses (exponential backoff with jitter), within a deadline. */
export class Retry<Result> {
  readonly #policy: RetryPolicy;

  constructor({ isWorthRetrying, firstRetryAfterMs = FIRST_RETRY_AFTER_MS }: RetryOptions<Result>) {
    this.#policy = retry(
      handleWhenResult((result) => isWorthRetrying(result as Result)),
      {
        maxAttempts: MOST_RETRIES,
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
