import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** Of the time of a thread lists have a tenth at most while callers ask: nine times as long is left to these. */
const TIMES_LEFT = 9;
const MOST_PAUSE_MS = 5_000;

export interface PaceParts {
  /** Requests that were put to the meter so far, by whomever. */
  readonly asked: () => number;
}

/** Leaves time to those who wait for an answer. */
export class Pace {
  readonly #parts: PaceParts;
  #askedBefore = 0;

  constructor(parts: PaceParts) {
    this.#parts = parts;
  }

  /**
   * Waits after a piece of work: for as long as callers need, when there were any since the last piece.
   * @param workedMs how long it held what callers need
   * @param ownAsks how often it asked the meter itself
   */
  async leaveTime(workedMs: number, ownAsks: number, ends?: AbortSignal): Promise<void> {
    const asked = this.#parts.asked();
    const haveAsked = asked - this.#askedBefore > ownAsks;
    this.#askedBefore = asked;
    if (!haveAsked) return nextTurn();
    // Who ends it goes on at once.
    await pause(Math.min(MOST_PAUSE_MS, workedMs * TIMES_LEFT), undefined, { signal: ends }).catch(() => {});
  }
}
