import { setImmediate as nextTurn } from "node:timers/promises";
import { type BulkheadPolicy, bulkhead, isBulkheadRejectedError, isTaskCancelledError } from "cockatiel";

/** A bulkhead: so many calls are under way at once, and the others wait for their turn, so that a slow upstream cannot use up everything. */
export class Bulkhead {
  readonly #policy: BulkheadPolicy;

  /** @param maxWaiting beyond it a call is told at once that it waits in vain */
  constructor(atOnce: number, maxWaiting: number) {
    this.#policy = bulkhead(atOnce, maxWaiting);
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
