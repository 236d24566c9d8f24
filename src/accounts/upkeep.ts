import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { PeopleStore } from "./peopleStore.ts";
import { KNOWN_FOR_MS } from "./sessions.ts";

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
  #rounds: readonly PeriodicWrite[] = [];
  #isStopped = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Ends keys once, before the service takes its first call, and goes on until it is stopped. */
  async start(): Promise<void> {
    const { store, now } = this.#parts;
    const endKeys = async () => void (await store.endRolledKeys(new Date(now()).toISOString()));
    const endingKeys = this.#every(END_KEYS_EVERY_MS, endKeys);
    this.#rounds = [endingKeys, this.#every(DELETE_EXPIRED_EVERY_MS, () => this.#deleteExpired())];
    await endingKeys.now();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#rounds.map((round) => round.close()));
  }

  #every(everyMs: number, work: () => Promise<void>): PeriodicWrite {
    return new PeriodicWrite(async () => {
      if (!this.#isStopped) await work().catch(this.#parts.onError);
    }, everyMs);
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
