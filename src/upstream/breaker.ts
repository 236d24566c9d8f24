/** How a call went for what a breaker guards: `unknown` when it failed before it could tell. */
export type CallOutcome = "worked" | "failed" | "unknown";

export interface BreakerTerms {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; twice as long after each single call let through that failed. */
  readonly openForMs: number;
  readonly longestOpenForMs: number;
}

/** An upstream that asks for a longer pause is asked again after this one: some send a time that is far off by mistake. */
export const MAX_PAUSE_MS = 600_000;

/** Within it a failure is not over because nobody has asked again. */
const JUST_NOW_MS = 60_000;

/** One opening of a breaker. A call that began before it is not its probe, so only its success says something. */
interface Opening {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly forMs: number;
  /** The upstream asked for it: a call that began before and works does not end it. */
  readonly isAskedFor: boolean;
  isProbing: boolean;
}

/** The single call that a half-open breaker lets through; undefined for the calls of a closed one. */
export type Probe = Opening | undefined;

/**
 * A circuit breaker (M. Nygard, Release It!). Closed, it lets every call through. Several failures in a row open it: calls are refused
 * at once. After a time it is half open: one call, the probe, is let through. If the probe works the breaker closes; if it fails the
 * breaker opens for twice as long.
 *
 * It is our own because of two things that no library has: whether a call would be let through can be asked without making one,
 * and a call whose outcome says nothing of what is guarded changes nothing.
 */
export class Breaker {
  readonly #terms: BreakerTerms;
  #failuresInARow = 0;
  /** Set while it is open. */
  #open: Opening | undefined;

  constructor(terms: BreakerTerms) {
    this.#terms = terms;
  }

  /** Whether what it guards failed and was not seen to work since. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether a call would be let through now. */
  permits(nowMs: number): boolean {
    return this.#open === undefined || (!this.#open.isProbing && nowMs >= this.#open.untilMs);
  }

  /**
   * Whether what it guards is to be told as failing: calls are kept away from it, or it has just failed. After that nobody knows before the
   * next call, and who is told of an outage must not be told of it until then.
   */
  isFailing(nowMs: number): boolean {
    if (this.#open === undefined) return false;
    return !this.permits(nowMs) || nowMs - this.#open.sinceMs < JUST_NOW_MS;
  }

  /** A call goes through that `permits` allowed. @returns what `leave` is to be given for it */
  enter(): Probe {
    if (this.#open !== undefined) this.#open.isProbing = true;
    return this.#open;
  }

  /**
   * Notes how a call went; `probe` is what `enter` returned for it.
   * @param pauseMs how long the upstream asks to be left alone after a call that failed, as by `Retry-After`. It opens the breaker at
   * once, for so long at least (ten minutes at most)
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
      if (this.#open.isAskedFor && probe !== this.#open) return;
      // It was thought dead and has just answered, whichever call it was.
      this.#open = undefined;
      this.#failuresInARow = 0;
    } else if (probe === this.#open) {
      if (outcome === "failed") this.#openFor(probe.forMs * 2, nowMs);
      else probe.isProbing = false;
    }
  }

  #openFor(forMs: number, nowMs: number): void {
    const boundedMs = Math.min(forMs, this.#terms.longestOpenForMs);
    const untilMs = nowMs + boundedMs;
    this.#open = { sinceMs: nowMs, untilMs, forMs: boundedMs, isAskedFor: false, isProbing: false };
  }

  #pause(pauseMs: number, nowMs: number): void {
    const { untilMs = 0, forMs = this.#terms.openForMs } = this.#open ?? {};
    this.#open = {
      sinceMs: nowMs,
      untilMs: Math.max(untilMs, nowMs + pauseMs),
      forMs,
      isAskedFor: true,
      isProbing: false,
    };
  }
}
