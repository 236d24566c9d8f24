/** How a call went for what a breaker guards: `unknown` when it failed before it could tell. */
export type Course = "worked" | "failed" | "unknown";

export interface BreakerTerms {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; twice as long after each single call let through that failed. */
  readonly openForMs: number;
  readonly longestOpenForMs: number;
}

/** One opening of a breaker: calls that entered before it, or in an earlier one, cannot end its trial. */
interface Opening {
  readonly untilMs: number;
  readonly forMs: number;
  isTrying: boolean;
}

/** The single call that an open breaker lets through; undefined for the calls of a closed one. */
export type Trial = Opening | undefined;

/**
 * Keeps calls away from what failed several times in a row. When its time is over it lets a single call through, whose
 * course closes it or opens it anew; all others are kept away meanwhile, so that nobody waits for what may be dead.
 * It can be asked without being entered, and a call that could not tell counts for nothing: that is why it is none
 * from a library.
 */
export class Breaker {
  readonly #terms: BreakerTerms;
  #failuresInARow = 0;
  /** Set while it is open. */
  #open: Opening | undefined;

  constructor(terms: BreakerTerms) {
    this.#terms = terms;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether a call would be let through now. */
  admits(nowMs: number): boolean {
    return this.#open === undefined || (!this.#open.isTrying && nowMs >= this.#open.untilMs);
  }

  /** A call goes through that `admits` allowed. @returns what `leave` is to be given for it */
  enter(): Trial {
    if (this.#open !== undefined) this.#open.isTrying = true;
    return this.#open;
  }

  /** Notes how a call went; `trial` is what `enter` returned for it. */
  leave(course: Course, nowMs: number, trial: Trial): void {
    if (this.#open === undefined) {
      if (course === "worked") this.#failuresInARow = 0;
      if (course !== "failed") return;
      this.#failuresInARow += 1;
      if (this.#failuresInARow >= this.#terms.failures) this.#openFor(this.#terms.openForMs, nowMs);
      return;
    }
    if (course === "worked") {
      // Whoever it was: what was thought dead has just answered.
      this.#open = undefined;
      this.#failuresInARow = 0;
    } else if (trial === this.#open) {
      if (course === "failed") this.#openFor(trial.forMs * 2, nowMs);
      else trial.isTrying = false;
    }
  }

  #openFor(forMs: number, nowMs: number): void {
    const boundedMs = Math.min(forMs, this.#terms.longestOpenForMs);
    this.#open = { untilMs: nowMs + boundedMs, forMs: boundedMs, isTrying: false };
  }
}
