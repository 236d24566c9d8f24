import { setImmediate as nextTurn } from "node:timers/promises";
import type { StateStore } from "../stateStore.ts";
import type { Askers } from "./askers.ts";
import { call, decideTogether } from "./doAsks.ts";
import type { Doing } from "./serveState.ts";

/** Charge requests in one transaction; an ask that goes beyond it is the last one. */
const MOST_IN_A_TRANSACTION = 1_024;

/**
 * Has a store do what is asked that does one thing after the other. Each round decides the charge requests that wait from all threads in one
 * transaction, so that they share a sync to disk, then does one other call of each thread. What a thread asks is done in the order
 * in which it asked.
 */
export class InTurn implements Doing {
  readonly #store: StateStore;
  readonly #askers: Askers;
  #working: Promise<void> | undefined;

  constructor(store: StateStore, askers: Askers) {
    this.#store = store;
    this.#askers = askers;
  }

  wake(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async finish(): Promise<void> {
    this.#askers.takeLast();
    // One round may be under way that looked before.
    await this.#working;
    await this.#work();
  }

  async #work(): Promise<void> {
    while (this.#askers.take()) {
      const charges = this.#askers.takeCharges(MOST_IN_A_TRANSACTION, ({ next }) => next === "charge");
      if (charges.length > 0) await decideTogether(this.#store.metering, charges);
      for (const asked of this.#askers.nextCalls()) await call(this.#store, asked);
      // Ports are opened and closed between two rounds.
      await nextTurn();
    }
  }
}
