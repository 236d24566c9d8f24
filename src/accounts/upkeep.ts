import { KNOWN_FOR_MS } from "./knownAddresses.ts";
import type { PeopleStore } from "./peopleStore.ts";

const END_KEYS_EVERY_MS = 1_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
const MOST_AT_ONCE = 500;
/** 100,000 answers a minute: more than a service of 1,000 calls a second keeps. */
const MOST_STEPS = 200;

export interface UpkeepParts {
  readonly store: PeopleStore;
  readonly now: () => number;
  readonly idleMs: number;
  /** The month of a moment, as the allowance counts months. */
  readonly monthOf: (nowMs: number) => number;
  /** Deletes some of the answers that are kept no longer. @returns how many; fewer than `most` when none is left */
  readonly sweepKept: (nowMs: number, most: number) => Promise<number>;
  /** Told of each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
}

/** Marks rolled keys as revoked when their time is over, and deletes what has expired. Any number of processes may do so. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Does one round, before the service takes its first call, and goes on until it is stopped. */
  async start(): Promise<void> {
    await this.#run(() => this.#endKeys());
    this.#timers = [
      setInterval(() => void this.#run(() => this.#endKeys()), END_KEYS_EVERY_MS),
      setInterval(() => void this.#run(() => this.#deleteExpired()), DELETE_EXPIRED_EVERY_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#running;
  }

  #run(work: () => Promise<unknown>): Promise<void> {
    this.#running = this.#running.then(work).then(() => undefined, this.#parts.onError);
    return this.#running;
  }

  async #endKeys(): Promise<void> {
    const { store, now } = this.#parts;
    await store.endRolledKeys(new Date(now()).toISOString());
  }

  async #deleteExpired(): Promise<void> {
    const { store, now, idleMs, monthOf, sweepKept } = this.#parts;
    const nowMs = now();
    const terms = { nowMs, idleMs, knownSinceMs: nowMs - KNOWN_FOR_MS, month: monthOf(nowMs) };
    await this.#inSteps(() => store.deleteExpired(terms));
    await this.#inSteps(async () => (await sweepKept(nowMs, MOST_AT_ONCE)) >= MOST_AT_ONCE);
  }

  /** Some at a time, so that no call waits long for the store; what is left waits for the next round. */
  async #inSteps(step: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS && !this.#isStopped; steps++) {
      if (!(await step())) return;
    }
  }
}
