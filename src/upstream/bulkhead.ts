import { type BulkheadPolicy, bulkhead, isBulkheadRejectedError, isTaskCancelledError } from "cockatiel";

/** A bulkhead: so many calls are under way at once, and the others wait for their turn, so that a slow upstream cannot use up everything. */
export class Bulkhead {
  readonly #policy: BulkheadPolicy;

  /** @param mostWaiting beyond it a call is told at once that it waits in vain */
  constructor(atOnce: number, mostWaiting: number) {
    this.#policy = bulkhead(atOnce, mostWaiting);
  }

  /**
   * Runs `call` in its turn; undefined when its turn did not come before `deadline`, which is told no sooner than the turn comes. Rejects
   * only when `call` does.
   */
  async run<Result>(call: () => Promise<Result>, deadline: AbortSignal): Promise<Result | undefined> {
    try {
      return await this.#policy.execute(call, deadline);
    } catch (error) {
      if (isBulkheadRejectedError(error) || isTaskCancelledError(error)) return undefined;
      throw error;
    }
  }
}
