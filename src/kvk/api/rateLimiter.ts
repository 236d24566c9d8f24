export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Runs something so many milliseconds later. @returns what calls it off */
  readonly after: (ms: number, run: () => void) => () => void;
}

const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface RateTerms {
  /** So many calls may begin… */
  readonly calls: number;
  /** …within any stretch of this many milliseconds. */
  readonly withinMs: number;
  readonly clock?: Clock;
}

/**
 * Holds a rate over any stretch of time, not only over those that begin with a second: the moments of the last calls are
 * remembered. Who waits is let through in the order of coming; who gave up takes nobody's place.
 */
export class RateLimiter {
  readonly #calls: number;
  readonly #withinMs: number;
  readonly #clock: Clock;
  /** The moments of the last calls, the oldest first. */
  readonly #begun: number[] = [];
  readonly #waiting = new Set<() => void>();
  #callOff: (() => void) | undefined;

  constructor({ calls, withinMs, clock = REAL_CLOCK }: RateTerms) {
    this.#calls = calls;
    this.#withinMs = withinMs;
    this.#clock = clock;
  }

  /** Fulfilled when a call may begin: true; false when `deadline` ended before. */
  take(deadline: AbortSignal): Promise<boolean> {
    if (deadline.aborted) return Promise.resolve(false);
    if (this.#waiting.size === 0 && this.#begin()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const giveUp = () => {
        this.#waiting.delete(goOn);
        resolve(false);
      };
      const goOn = () => {
        deadline.removeEventListener("abort", giveUp);
        resolve(true);
      };
      deadline.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(goOn);
      this.#wakeLater();
    });
  }

  /** Notes a call that begins now, if one may. */
  #begin(): boolean {
    if (this.#freeInMs() > 0) return false;
    this.#begun.push(this.#clock.now());
    if (this.#begun.length > this.#calls) this.#begun.shift();
    return true;
  }

  #freeInMs(): number {
    const oldest = this.#begun[0];
    if (oldest === undefined || this.#begun.length < this.#calls) return 0;
    return oldest + this.#withinMs - this.#clock.now();
  }

  #wakeLater(): void {
    if (this.#callOff !== undefined || this.#waiting.size === 0) return;
    // A timer may ring a little early: then it is set again.
    this.#callOff = this.#clock.after(Math.max(1, Math.ceil(this.#freeInMs())), () => {
      this.#callOff = undefined;
      for (const goOn of this.#waiting) {
        if (!this.#begin()) break;
        this.#waiting.delete(goOn);
        goOn();
      }
      this.#wakeLater();
    });
  }
}
