import { setImmediate as nextTurn } from "node:timers/promises";
import type { StateStore } from "../stateStore.ts";
import type { Asked, Askers } from "./askers.ts";
import { call, decideTogether } from "./doAsks.ts";
import type { CallAsk, ChargeAsk } from "./protocol.ts";

/** Charge requests in one transaction at most, but for those of an ask, which are never divided. */
const MOST_IN_A_TRANSACTION = 1_024;

/**
 * Has a store do what is asked that does one thing after the other. Each round decides the charge requests that wait from all threads in one
 * transaction, so that they share a sync to disk, then does one other call of each thread. What a thread asks is done in the order
 * in which it asked.
 */
export class InTurn {
  readonly #store: StateStore;
  readonly #askers: Askers;
  #working: Promise<void> | undefined;

  constructor(store: StateStore, askers: Askers) {
    this.#store = store;
    this.#askers = askers;
  }

  /** Begins with what waits, if it has not. */
  wake(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Fulfilled when nothing waits any more. */
  async idle(): Promise<void> {
    this.wake();
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#askers.take()) {
      const { charges, calls } = this.#nextRound();
      if (charges.length > 0) await decideTogether(this.#store.metering, charges);
      for (const asked of calls) await call(this.#store, asked);
      // Ports are opened and closed between two rounds.
      await nextTurn();
    }
  }

  /** One ask of each thread after the other, until there is enough or each has come to a call. */
  #nextRound(): { charges: Asked<ChargeAsk>[]; calls: Asked<CallAsk>[] } {
    const charges: Asked<ChargeAsk>[] = [];
    const calls: Asked<CallAsk>[] = [];
    let requests = 0;
    let turn = this.#askers.inTurn();
    while (turn.length > 0 && requests < MOST_IN_A_TRANSACTION) {
      turn = turn.filter((asker) => {
        const ask = asker.waiting[0];
        if (ask === undefined || (ask.kind === "charge" && requests >= MOST_IN_A_TRANSACTION)) return false;
        asker.waiting.shift();
        if (ask.kind === "call") {
          calls.push({ asker, ask });
          return false;
        }
        charges.push({ asker, ask });
        requests += ask.requests.length;
        return true;
      });
    }
    return { charges, calls };
  }
}
