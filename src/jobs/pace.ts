import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

/** While callers ask, lists take a tenth of the time: callers have nine times as long. */
const TIMES_LEFT = 9;
/** A caller that asked this recently may ask again at any moment. */
const CALLERS_STAY_MS = 250;
/** A pause ends early when there are no callers any more. */
const LOOK_EVERY_MS = 250;
/** The longest pause. A request to the state may have waited behind those of callers, and lists must not stop while callers keep the state busy. */
const MAX_PAUSE_MS = 5_000;

export interface PaceOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Waits for so many milliseconds, or until the signal is aborted. */
  readonly pause?: (ms: number, ends: AbortSignal | undefined) => Promise<void>;
}

/** Paces lists in the background: while callers ask this process, lists pause after each piece of work. */
export class Pace {
  readonly #now: () => number;
  readonly #pause: NonNullable<PaceOptions["pause"]>;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor({ now = () => performance.now(), pause = pauseFor }: PaceOptions = {}) {
    this.#now = now;
    this.#pause = pause;
  }

  /** Notes the request of a caller. */
  asked(): void {
    this.#askedAtMs = this.#now();
  }

  /** Waits after work that held the event loop, or the state, for so long, until callers have had their time of it. */
  async leave(workedMs: number, ends?: AbortSignal): Promise<void> {
    let nowMs = this.#now();
    const untilMs = nowMs + Math.min(workedMs * TIMES_LEFT, MAX_PAUSE_MS);
    if (nowMs >= untilMs || !this.#hasCallers(nowMs)) return nextTurn();
    while (nowMs < untilMs && ends?.aborted !== true && this.#hasCallers(nowMs)) {
      await this.#pause(Math.min(LOOK_EVERY_MS, untilMs - nowMs), ends);
      nowMs = this.#now();
    }
  }

  #hasCallers(nowMs: number): boolean {
    return nowMs - this.#askedAtMs < CALLERS_STAY_MS;
  }
}

/** Aborting the signal ends the pause at once. */
function pauseFor(ms: number, ends: AbortSignal | undefined): Promise<void> {
  return wait(ms, undefined, { signal: ends }).catch(() => {});
}
