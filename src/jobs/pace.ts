import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

/** While callers are active, lists get a tenth of the time: a pause is nine times as long as the work. */
const TIMES_LEFT = 9;
/** Callers count as active for this long after a request. */
const ACTIVE_AFTER_CALL_MS = 250;
/** How often a pause checks whether callers are still active. */
const POLL_EVERY_MS = 250;
/**
 * The longest pause. The measured work includes waiting for the state, and lists must not stop because callers keep the
 * state busy.
 */
const MAX_PAUSE_MS = 5_000;

export interface PaceOptions {
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
  /** Waits this many milliseconds, or until the signal aborts. */
  readonly pause?: (ms: number, ends: AbortSignal | undefined) => Promise<void>;
}

/** Slows lists down while this process has active callers: a pause follows each piece of work. */
export class Pace {
  readonly #now: () => number;
  readonly #pause: NonNullable<PaceOptions["pause"]>;
  #lastRequestMs = Number.NEGATIVE_INFINITY;

  constructor({ now = () => performance.now(), pause = pauseFor }: PaceOptions = {}) {
    this.#now = now;
    this.#pause = pause;
  }

  /** Records a caller's request. */
  recordRequest(): void {
    this.#lastRequestMs = this.#now();
  }

  /** Pauses after work that used the event loop or the state for `workedMs`. */
  async pauseAfter(workedMs: number, ends?: AbortSignal): Promise<void> {
    let nowMs = this.#now();
    const untilMs = nowMs + Math.min(workedMs * TIMES_LEFT, MAX_PAUSE_MS);
    if (nowMs >= untilMs || !this.#hasCallers(nowMs)) return nextTurn();
    while (nowMs < untilMs && ends?.aborted !== true && this.#hasCallers(nowMs)) {
      await this.#pause(Math.min(POLL_EVERY_MS, untilMs - nowMs), ends);
      nowMs = this.#now();
    }
  }

  #hasCallers(nowMs: number): boolean {
    return nowMs - this.#lastRequestMs < ACTIVE_AFTER_CALL_MS;
  }
}

/** Aborting the signal ends the pause at once. */
function pauseFor(ms: number, ends: AbortSignal | undefined): Promise<void> {
  return wait(ms, undefined, { signal: ends }).catch(() => {});
}
