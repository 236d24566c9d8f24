import { withDeadline } from "../../lib/deadline.ts";

export interface RateTerms {
  /** Calls that may begin within any period of `withinMs`. */
  readonly calls: number;
  readonly withinMs: number;
}

/**
 * Limits calls within any period (sliding window) by remembering when the last calls began. Callers are served in
 * order; one that gave up uses no call.
 */
export class RateLimiter {
  readonly #terms: RateTerms;
  /** Start times of the last calls, oldest first. */
  readonly #startTimes: number[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(terms: RateTerms) {
    this.#terms = terms;
  }

  /** Waits for its turn. @returns whether a call may begin; false when `deadline` ended before */
  take(deadline: AbortSignal): Promise<boolean> {
    const turn = this.#last.then(() => this.#begin(deadline));
    this.#last = turn;
    return turn;
  }

  async #begin(deadline: AbortSignal): Promise<boolean> {
    while (!deadline.aborted) {
      const waitMs = this.#freeInMs();
      if (waitMs <= 0) {
        this.#startTimes.push(performance.now());
        if (this.#startTimes.length > this.#terms.calls) this.#startTimes.shift();
        return true;
      }
      // A timer may fire a little early, so the time is checked again.
      await withDeadline(deadline, new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs))));
    }
    return false;
  }

  #freeInMs(): number {
    const { calls, withinMs } = this.#terms;
    const [oldest] = this.#startTimes;
    return oldest === undefined || this.#startTimes.length < calls
      ? 0
      : oldest + withinMs - performance.now();
  }
}
