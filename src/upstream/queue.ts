import { type BulkheadPolicy, bulkhead, isBulkheadRejectedError, isTaskCancelledError } from "cockatiel";

/** Lets so many calls be under way at once; the others wait for their turn. */
export class Queue {
  readonly #bulkhead: BulkheadPolicy;

  /** @param mostWaiting beyond it a call is told at once that it waits in vain */
  constructor(atOnce: number, mostWaiting: number) {
    this.#bulkhead = bulkhead(atOnce, mostWaiting);
  }

  /**
   * Runs `call` in its turn; undefined when its turn did not come before `deadline`, which is told no sooner than the turn comes. Rejects
   * only when `call` does.
   */
  async run<Word>(call: () => Promise<Word>, deadline: AbortSignal): Promise<Word | undefined> {
    try {
      return await this.#bulkhead.execute(call, deadline);
    } catch (error) {
      if (isBulkheadRejectedError(error) || isTaskCancelledError(error)) return undefined;
      throw error;
    }
  }
}
