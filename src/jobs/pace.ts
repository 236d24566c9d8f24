import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

/** What lists work while callers ask is a tenth of the time at most: nine times as long is left to these. */
const TIMES_LEFT = 9;
/** Whoever asked so long ago may ask again at any moment. */
const CALLERS_STAY_MS = 250;
/** A pause is looked at anew after so long: there may be no callers any more. */
const LOOK_EVERY_MS = 250;
/** The state is not left alone for longer, however slow it was. */
const MOST_LEFT_MS = 60_000;
/**
 * What the state took for lists is told from what they waited there behind callers by the shortest time of a while: it is taken for no more than
 * four times that, or lists would come to a stop beside callers that keep the state busy.
 */
const TIMES_THE_LEAST = 4;
const LEAST_OF_MS = 600_000;

/** What the threads of a service know of callers and of lists together, as it can be sent in a message. */
export type PaceMemory = SharedArrayBuffer;

/** Of cells of 64 bits, each in a cache line of its own: how often callers asked, and until when lists leave the state alone, microseconds. */
const CALLERS = 0;
const STATE_LEFT_UNTIL = 8;
const CELLS = 16;

export function newPaceMemory(): PaceMemory {
  return new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT);
}

/** Counts what callers ask, on any thread. */
export class CallerCount {
  readonly #cells: Int32Array;

  constructor(memory: PaceMemory) {
    this.#cells = new Int32Array(memory);
  }

  /** One more, of 32 bits, as every call passes here: that it begins anew some day is no matter, as only a change is looked for. */
  asked(): void {
    Atomics.add(this.#cells, CALLERS, 1);
  }

  get count(): number {
    return Atomics.load(this.#cells, CALLERS);
  }
}

export interface PaceParts {
  readonly memory: PaceMemory;
  /** Milliseconds of a clock that never goes back and is the same for all threads. */
  readonly now?: () => number;
  /** Waits for so many milliseconds, or until the signal is aborted. */
  readonly pause?: (ms: number, ends: AbortSignal | undefined) => Promise<void>;
}

/**
 * Leaves time to those who wait for an answer, on whichever thread of the service they asked: while there are callers, a thread works lists for a
 * tenth of its time at most, and all threads together have the state for a tenth of its time. The state's time is shared out as by a leaky bucket
 * (generic cell rate algorithm): each piece of work moves the moment on from which the next may begin.
 */
export class Pace {
  readonly #callers: CallerCount;
  readonly #cells: BigInt64Array;
  readonly #now: () => number;
  readonly #pause: NonNullable<PaceParts["pause"]>;
  #least = { since: -1, before: Number.POSITIVE_INFINITY, present: Number.POSITIVE_INFINITY };
  #seen: number;
  #seenAtMs = Number.NEGATIVE_INFINITY;

  constructor({ memory, now = monotonicMs, pause = pauseFor }: PaceParts) {
    this.#callers = new CallerCount(memory);
    this.#cells = new BigInt64Array(memory);
    this.#now = now;
    this.#pause = pause;
    this.#seen = this.#callers.count;
  }

  /** Waits after a piece of work that held this thread for so long, until callers have had their time of it. */
  leaveThread(workedMs: number, ends?: AbortSignal): Promise<void> {
    return this.#leaveUntil(this.#now() + workedMs * TIMES_LEFT, ends);
  }

  /** The same after asks that the state took so long for, with what other threads asked of it for lists. */
  leaveState(askedMs: number, ends?: AbortSignal): Promise<void> {
    const nowMs = this.#now();
    const tookMs = Math.min(askedMs, TIMES_THE_LEAST * this.#leastAsked(nowMs, askedMs));
    return this.#leaveUntil(this.#hasCallers(nowMs) ? this.#stateLeftUntil(nowMs, tookMs) : nowMs, ends);
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

  /** Moves on the moment from which lists may ask the state again, by a piece of work that has just ended. */
  #stateLeftUntil(nowMs: number, tookMs: number): number {
    for (;;) {
      const before = Atomics.load(this.#cells, STATE_LEFT_UNTIL);
      const from = Math.max(Number(before) / 1_000, nowMs - tookMs);
      const untilMs = Math.min(from + tookMs * (1 + TIMES_LEFT), nowMs + MOST_LEFT_MS);
      const after = BigInt(Math.ceil(untilMs * 1_000));
      if (Atomics.compareExchange(this.#cells, STATE_LEFT_UNTIL, before, after) === before) return untilMs;
    }
  }
}

/** Of the system, not of the thread. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Who ends it goes on at once. */
function pauseFor(ms: number, ends: AbortSignal | undefined): Promise<void> {
  return wait(ms, undefined, { signal: ends }).catch(() => {});
}
