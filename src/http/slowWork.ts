import type { Steps } from "../lib/steps.ts";
import { MeterOverloaded } from "../metering/meter.ts";

/** How long the thread is kept at a stretch; then whoever else waits for it has a turn. */
const SLICE_MS = 5;
/** So much waits or is done at most: beyond it a caller would wait for seconds. */
const MOST_UNDER_WAY = 1_000;

/**
 * Work that can hold the thread for milliseconds, one piece after the other in the order in which it came. Many calls may be
 * granted by one batch: begun all at once they would hold up every other call until the last of them is done.
 */
export class SlowWork {
  readonly #waiting: (() => void)[] = [];
  /** What first steps took in this turn of the event loop. */
  #firstStepsMs = 0;
  #isScheduled = false;
  #underWay = 0;

  /**
   * Does work when its turn has come; what it waits for meanwhile keeps nobody from theirs.
   * @throws {MeterOverloaded} (the promise) when too much waits; else what the work throws
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#underWay >= MOST_UNDER_WAY) {
      throw overloaded();
    }
    this.#underWay++;
    try {
      return await this.#inTurn(work);
    } finally {
      this.#underWay--;
    }
  }

  /**
   * Does the first step of work: at once, unless other first steps took their share of this turn of the event loop.
   * @throws {MeterOverloaded} (or rejects with it) when too much waits; else what the step throws
   */
  first<T>(steps: Steps<T>): IteratorResult<void, T> | Promise<IteratorResult<void, T>> {
    if (this.#waiting.length >= MOST_UNDER_WAY) throw overloaded();
    if (this.#waiting.length > 0 || this.#firstStepsMs >= SLICE_MS) return this.#inTurn(() => steps.next());
    if (this.#firstStepsMs === 0) {
      setImmediate(() => {
        this.#firstStepsMs = 0;
      });
    }
    const beganMs = performance.now();
    try {
      return steps.next();
    } finally {
      this.#firstStepsMs += performance.now() - beganMs;
    }
  }

  /** Does work that was begun to its end, step by step; between them others have their turn. */
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

function overloaded(): MeterOverloaded {
  return new MeterOverloaded("too many calls wait for their turn to be worked on");
}
