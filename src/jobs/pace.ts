import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

/** While callers wait, lists take a tenth of the time at most: callers have nine times as long. */
const TIMES_LEFT = 9;
/** A caller that asked this recently may ask again at any moment. */
const CALLERS_STAY_MS = 250;
/** A pause ends early when there are no callers any more. */
const LOOK_EVERY_MS = 250;
/** The longest pause, however slow the state was. */
const MAX_PAUSE_MS = 60_000;
/**
 * A list's request to the state may have waited behind those of callers. It counts for at most four times the shortest of the last while, or lists
 * would come to a stop while callers keep the state busy.
 */
const TIMES_THE_LEAST = 4;
const LEAST_OF_MS = 600_000;

/** Counts the requests of callers. */
export class CallerCount {
  count = 0;

  asked(): void {
    this.count += 1;
  }
}

export interface PaceParts {
  readonly callers: CallerCount;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Waits for so many milliseconds, or until the signal is aborted. */
  readonly pause?: (ms: number, ends: AbortSignal | undefined) => Promise<void>;
}

/** Paces lists in the background: while callers wait, lists have this process, and from it the state, for a tenth of the time at most. */
export class Pace {
  readonly #callers: CallerCount;
  readonly #now: () => number;
  readonly #pause: NonNullable<PaceParts["pause"]>;
  #least = { since: -1, before: Number.POSITIVE_INFINITY, present: Number.POSITIVE_INFINITY };
  #seen: number;
  #seenAtMs = Number.NEGATIVE_INFINITY;
  /** Until when lists leave the state alone. */
  #stateLeftUntilMs = 0;

  constructor({ callers, now = () => performance.now(), pause = pauseFor }: PaceParts) {
    this.#callers = callers;
    this.#now = now;
    this.#pause = pause;
    this.#seen = callers.count;
  }

  /** Waits after a piece of work that held the event loop for so long, until callers have had their time of it. */
  leaveThread(workedMs: number, ends?: AbortSignal): Promise<void> {
    return this.#leaveUntil(this.#now() + workedMs * TIMES_LEFT, ends);
  }

  /** The same after requests to the state that took so long. Each moves on the moment from which the next may begin (a leaky bucket). */
  leaveState(askedMs: number, ends?: AbortSignal): Promise<void> {
    const nowMs = this.#now();
    const tookMs = Math.min(askedMs, TIMES_THE_LEAST * this.#leastAsked(nowMs, askedMs));
    if (!this.#hasCallers(nowMs)) return nextTurn();
    const fromMs = Math.max(this.#stateLeftUntilMs, nowMs - tookMs);
    this.#stateLeftUntilMs = Math.min(fromMs + tookMs * (1 + TIMES_LEFT), nowMs + MAX_PAUSE_MS);
    return this.#leaveUntil(this.#stateLeftUntilMs, ends);
  }

  /** The shortest time of this while and the one before. */
  #leastAsked(nowMs: number, askedMs: number): number {
    const since = Math.floor(nowMs / LEAST_OF_MS);
    const { before, present } = this.#least;
    if (since === this.#least.since) this.#least = { since, before, present: Math.min(present, askedMs) };
    else
      this.#least = { since, before: since === this.#least.since + 1 ? present : askedMs, present: askedMs };
    return Math.min(this.#least.before, this.#least.present);
  }

  async #leaveUntil(untilMs: number, ends: AbortSignal | undefined): Promise<void> {
    let nowMs = this.#now();
    if (nowMs >= untilMs || !this.#hasCallers(nowMs)) return nextTurn();
    while (nowMs < untilMs && ends?.aborted !== true && this.#hasCallers(nowMs)) {
      await this.#pause(Math.min(LOOK_EVERY_MS, untilMs - nowMs), ends);
      nowMs = this.#now();
    }
  }

  #hasCallers(nowMs: number): boolean {
    const { count } = this.#callers;
    if (count !== this.#seen) {
      this.#seen = count;
      this.#seenAtMs = nowMs;
    }
    return nowMs - this.#seenAtMs < CALLERS_STAY_MS;
  }
}

/** Aborting the signal ends the pause at once. */
function pauseFor(ms: number, ends: AbortSignal | undefined): Promise<void> {
  return wait(ms, undefined, { signal: ends }).catch(() => {});
}
