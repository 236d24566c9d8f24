/** The outcome of a call for a breaker; `unknown` when it says nothing about the guarded part. */
export type CallOutcome = "worked" | "failed" | "unknown";

export interface BreakerTerms {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; twice as long after each failed probe. */
  readonly openForMs: number;
  readonly maxOpenForMs: number;
}

/** Maximum of a pause that an upstream asks for: some send far too long times by mistake. */
export const MAX_PAUSE_MS = 600_000;

/** A failure counts as current for this long without a further call. */
const RECENT_FAILURE_MS = 60_000;

/** One opening of a breaker. Of calls that began before it, only a success counts. */
interface Opening {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly forMs: number;
  /** The upstream asked for it, so that a success of an earlier call does not end it. */
  readonly isRequested: boolean;
  isProbing: boolean;
}

/** The single call that a half-open breaker lets through; undefined for the calls of a closed one. */
export type Probe = Opening | undefined;

/**
 * A circuit breaker (M. Nygard, Release It!). While closed it permits every call. Several failures in a row open it:
 * calls are refused at once. After a time it is half open: one call, the probe, is permitted. If the probe works the
 * breaker closes; if it fails the breaker opens for twice as long.
 *
 * Unlike the libraries, it can be asked whether a call would be permitted without making one, and ignores calls with an
 * unknown outcome.
 */
export class Breaker {
  readonly #terms: BreakerTerms;
  #failuresInARow = 0;
  /** Set while it is open. */
  #open: Opening | undefined;

  constructor(terms: BreakerTerms) {
    this.#terms = terms;
  }

  /** Whether it has opened without a success since. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether a call would be permitted now. */
  permits(nowMs: number): boolean {
    return this.#open === undefined || (!this.#open.isProbing && nowMs >= this.#open.untilMs);
  }

  /**
   * Whether to report the guarded part as failing: the breaker refuses calls, or opened within the last minute. After
   * that its state is unknown until the next call, and an outage must not be reported that long.
   */
  isFailing(nowMs: number): boolean {
    if (this.#open === undefined) return false;
    return !this.permits(nowMs) || nowMs - this.#open.sinceMs < RECENT_FAILURE_MS;
  }

  /** Begins a call that `permits` allowed. @returns the probe to pass to `leave` */
  enter(): Probe {
    if (this.#open !== undefined) this.#open.isProbing = true;
    return this.#open;
  }

  /**
   * Records the outcome of a call; `probe` is the result of its `enter`.
   * @param pauseMs the pause that the upstream asks for after a failure, as by `Retry-After`. It opens the breaker at
   * once for at least this time (at most ten minutes)
   */
  leave(outcome: CallOutcome, nowMs: number, probe: Probe, pauseMs = 0): void {
    this.#note(outcome, nowMs, probe);
    if (outcome === "failed" && pauseMs > 0) this.#pause(Math.min(pauseMs, MAX_PAUSE_MS), nowMs);
  }

  #note(outcome: CallOutcome, nowMs: number, probe: Probe): void {
    if (this.#open === undefined) {
      if (outcome === "worked") this.#failuresInARow = 0;
      if (outcome !== "failed") return;
      this.#failuresInARow += 1;
      if (this.#failuresInARow >= this.#terms.failures) this.#openFor(this.#terms.openForMs, nowMs);
      return;
    }
    if (outcome === "worked") {
      if (this.#open.isRequested && probe !== this.#open) return;
      // Any success shows that it is up again.
      this.#open = undefined;
      this.#failuresInARow = 0;
    } else if (probe === this.#open) {
      if (outcome === "failed") this.#openFor(probe.forMs * 2, nowMs);
      else probe.isProbing = false;
    }
  }

  #openFor(forMs: number, nowMs: number): void {
    const boundedMs = Math.min(forMs, this.#terms.maxOpenForMs);
    const untilMs = nowMs + boundedMs;
    this.#open = { sinceMs: nowMs, untilMs, forMs: boundedMs, isRequested: false, isProbing: false };
  }

  #pause(pauseMs: number, nowMs: number): void {
    const { untilMs = 0, forMs = this.#terms.openForMs } = this.#open ?? {};
    this.#open = {
      sinceMs: nowMs,
      untilMs: Math.max(untilMs, nowMs + pauseMs),
      forMs,
      isRequested: true,
      isProbing: false,
    };
  }
}
