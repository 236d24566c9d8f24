import { setImmediate as nextTurn } from "node:timers/promises";
import { FairQueue } from "../lib/fairQueue.ts";

/**
 * A bulkhead: limits the calls in progress and queues the others, so that a slow upstream cannot use up all resources.
 */
export class Bulkhead {
  readonly #queue: FairQueue;

  /** @param maxQueued further calls are refused at once */
  constructor(atOnce: number, maxQueued: number) {
    this.#queue = new FairQueue({ concurrency: atOnce, limits: { slots: atOnce + maxQueued } });
  }

  /**
   * Runs `call` in its turn; undefined when its turn comes after `deadline` or the queue is full. Rejects only when
   * `call` does.
   */
  async run<Result>(call: () => Promise<Result>, deadline: AbortSignal): Promise<Result | undefined> {
    const turn = this.#queue.acquire({ signal: deadline });
    const hasWaited = turn instanceof Promise;
    const endTurn = hasWaited ? await turn : turn;
    if (endTurn === undefined) return undefined;
    try {
      // Deadlines of queued calls often end together: without a pause each would start just before its own deadline
      // ends.
      if (hasWaited) await nextTurn();
      return deadline.aborted ? undefined : await call();
    } finally {
      endTurn();
    }
  }
}
