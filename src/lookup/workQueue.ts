import type { Steps } from "../lib/steps.ts";
import { MeterOverloaded } from "../metering/meter.ts";

/** How long work may block the event loop before other work runs. */
const SLICE_MS = 5;
/** More work would make callers wait for seconds. */
const MAX_IN_PROGRESS = 1_000;

/**
 * Runs work that can block the event loop for milliseconds, one piece at a time in order of arrival. One batch of
 * charges may allow many calls; started all at once they would delay every other call until the last one is done.
 */
export class WorkQueue {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #inProgress = 0;
  #lastStep: Promise<unknown> = Promise.resolve();

  /**
   * Starts work when all earlier work has started. While it awaits something, other work continues.
   * @throws {MeterOverloaded} (the promise) when too much work waits, or the work's error
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#inProgress >= MAX_IN_PROGRESS) {
      throw new MeterOverloaded("too many calls are waiting");
    }
    this.#inProgress++;
    try {
      return await this.#enqueue(work);
    } finally {
      this.#inProgress--;
    }
  }

  /** Runs steps to the end, each of which waits in the queue. */
  async finish<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = await this.#enqueue(() => steps.next());
      if (step.done === true) return step.value;
    }
  }

  /** Runs steps to the end. However much such work is in progress, other work waits for one step of it at most. */
  async finishOneByOne<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = this.#lastStep.then(() => this.run(() => steps.next()));
      this.#lastStep = step.catch(() => {});
      const { done, value } = await step;
      if (done === true) return value;
    }
  }

  #enqueue<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const endMs = performance.now() + SLICE_MS;
      do this.#waiting.shift()?.();
      while (this.#waiting.length > 0 && performance.now() < endMs);
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/** The queue of this process. */
export const workQueue = new WorkQueue();
