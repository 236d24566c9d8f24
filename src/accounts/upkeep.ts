import { DELETE_EXPIRED_EVERY_MS } from "../database/retention.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import { monthOf } from "../lib/periods.ts";
import type { PeopleQueries } from "./queries.ts";
import { ADDRESS_RETENTION_MS } from "./sessions.ts";

const END_KEYS_EVERY_MS = 1_000;
/** 200,000 rows a minute: more than a service with 1,000 calls a second stores, each with a response. */
const MAX_STEPS = 400;

export interface UpkeepParts {
  readonly store: PeopleQueries;
  readonly now: () => number;
  readonly idleMs: number;
  /** Deletes some rows that charge batches leave. @returns whether there may be more */
  readonly deleteLapsed: () => Promise<boolean>;
  /** Called with each failure; the next round tries again. */
  readonly onError: (error: unknown) => void;
}

/** Revokes replaced keys when their overlap is over, and deletes expired data. Any number of processes may run it. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  #rounds: readonly PeriodicWrite[] = [];
  #isStopped = false;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Runs the first round before the service takes calls, and continues until it is stopped. */
  async start(): Promise<void> {
    const { store, now, deleteLapsed } = this.#parts;
    const endKeys = async () => void (await store.endRolledKeys(new Date(now()).toISOString()));
    const endingKeys = this.#every(END_KEYS_EVERY_MS, endKeys);
    this.#rounds = [
      endingKeys,
      this.#every(DELETE_EXPIRED_EVERY_MS, () => this.#deleteExpired()),
      // All of them: a busy service leaves more than any limit.
      this.#every(DELETE_EXPIRED_EVERY_MS, () => this.#inSteps(deleteLapsed, Number.POSITIVE_INFINITY)),
    ];
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
    const { store, now, idleMs } = this.#parts;
    const nowMs = now();
    const terms = { nowMs, idleMs, knownSinceMs: nowMs - ADDRESS_RETENTION_MS, month: monthOf(nowMs) };
    await this.#inSteps(() => store.deleteExpired(terms));
  }

  /** Works in small steps, so that calls do not wait long for the store. The rest waits for the next round. */
  async #inSteps(step: () => Promise<boolean>, maxSteps = MAX_STEPS): Promise<void> {
    for (let steps = 0; steps < maxSteps && !this.#isStopped; steps++) {
      if (!(await step())) return;
    }
  }
}
