import type { StateStore } from "../stateStore.ts";
import type { Askers } from "./askers.ts";
import { call, decideTogether, refuse } from "./doAsks.ts";
import type { Doing } from "./serveState.ts";

/** As many as one thread gives at once. */
const MOST_IN_A_BATCH = 512;
/** Twice the connections of the store: the next one waits for a connection there. */
const MOST_CALLS = 16;
/** As long as the store itself lets a call wait for a connection. */
const WAITS_FOR_MS = 2_000;
const LOOK_EVERY_MS = 250;

/** How a store takes batches. */
export interface Batches {
  /** So many may be at the store at once. */
  readonly batchesAtOnce: number;
  /** So many charge requests are worth a batch of their own beside another; fewer wait until that one has ended. */
  readonly worthABatch: number;
}

/**
 * Has a store do what is asked that does several things at once. The charge requests that wait from all threads gather to batches while others are
 * at the store; other calls go to it beside them, one of each thread after the other, as many as it has connections for.
 */
export class SideBySide implements Doing {
  readonly #store: StateStore;
  readonly #askers: Askers;
  readonly #batches: Batches;
  #batchesUnderWay = 0;
  #callsUnderWay = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(store: StateStore, askers: Askers, batches: Batches) {
    this.#store = store;
    this.#askers = askers;
    this.#batches = batches;
  }

  wake(): void {
    this.#askers.take();
    this.#beginCalls(MOST_CALLS - this.#callsUnderWay);
    while (this.#isBatchWorth()) this.#beginBatch();
  }

  /** Begins all that waits: the store ends what it has begun, as far as its server answers. */
  async finish(): Promise<void> {
    this.#askers.takeLast();
    clearTimeout(this.#looking);
    this.#beginCalls(Number.POSITIVE_INFINITY);
    while (this.#askers.hasCharges) this.#beginBatch();
  }

  #isBatchWorth(): boolean {
    if (this.#batchesUnderWay === 0) return this.#askers.hasCharges;
    const { batchesAtOnce, worthABatch } = this.#batches;
    return this.#batchesUnderWay < batchesAtOnce && this.#askers.requests >= worthABatch;
  }

  #beginBatch(): void {
    const charges = this.#askers.takeCharges(MOST_IN_A_BATCH);
    this.#batchesUnderWay += 1;
    void decideTogether(this.#store.metering, charges).then(() => {
      this.#batchesUnderWay -= 1;
      this.wake();
    });
  }

  #beginCalls(most: number): void {
    for (const asked of this.#askers.takeCalls(most)) {
      this.#callsUnderWay += 1;
      void call(this.#store, asked).then(() => {
        this.#callsUnderWay -= 1;
        this.wake();
      });
    }
    const beforeMs = performance.now() - WAITS_FOR_MS;
    for (const asked of this.#askers.takeCallsBefore(beforeMs)) {
      refuse(asked, "too many calls wait for the database");
    }
    if (!this.#askers.hasCalls) return;
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.wake();
    }, LOOK_EVERY_MS);
  }
}
