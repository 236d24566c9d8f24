import { setImmediate as nextTurn } from "node:timers/promises";
import { type BulkheadPolicy, bulkhead, isBulkheadRejectedError, isTaskCancelledError } from "cockatiel";

/** A bulkhead: limits the calls in progress and queues the others, so that a slow upstream cannot use up all resources. */
export class Bulkhead {
  readonly #policy: BulkheadPolicy;

  /** @param maxWaiting the size of the queue; further calls are refused at once */
  constructor(atOnce: number, maxWaiting: number) {
    this.#policy = bulkhead(atOnce, maxWaiting);
  }

  /**
   * Runs `call` in its turn; undefined when its turn comes after `deadline` or the queue is full. Rejects only when `call` does.
   */
  async run<Result>(call: () => Promise<Result>, deadline: AbortSignal): Promise<Result | undefined> {
    let hasWaited = false;
    try {
      const running = this.#policy.execute(async () => {
        // Deadlines of queued calls often end together: without a pause each would start just before its own deadline ends.
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
