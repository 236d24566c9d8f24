import type { Steps } from "../lib/steps.ts";
import { MeterOverloaded } from "../metering/meter.ts";

/** How long the thread is held at a stretch; then other work has a turn. */
const SLICE_MS = 5;
/** More would let a caller wait for seconds. */
const MAX_UNDER_WAY = 1_000;

/**
 * Work that can hold the thread for milliseconds, one piece after the other in the order in which it came. One batch may let in many
 * calls: begun all at once they would hold up every other call until the last of them is done.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #underWay = 0;

  /**
   * Begins work when its turn has come; other work goes on while it waits for something.
   * @throws {MeterOverloaded} (the promise) when too much waits; else what the work throws
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#underWay >= MAX_UNDER_WAY) {
      throw new MeterOverloaded("too many calls wait for their turn to be worked on");
    }
    this.#underWay++;
    try {
      return await this.#inTurn(work);
    } finally {
      this.#underWay--;
    }
  }

  /** Does steps to their end, one in each turn. */
  async finish<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = await this.#inTurn(() => steps.next());
      if (step.done === true) return step.value;
    }
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
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

/** The turns of this process. */
export const turns = new Turns();
