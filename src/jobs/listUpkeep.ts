import { setTimeout as pause } from "node:timers/promises";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { renewStale } from "./results.ts";
import type { JobStore, ListLifetimes } from "./store.ts";
import type { SuppressionMark } from "./suppressionMark.ts";

const LOOK_EVERY_MS = 30_000;
/** Between two steps others have the state. */
const STEP_PAUSE_MS = 50;

export interface ListUpkeepParts {
  readonly store: Pick<JobStore, "sweepLists" | "staleResults" | "renewResults">;
  /** Deletes some of what deleted accounts left. @returns whether more may be left */
  readonly sweepDeleted: () => Promise<boolean>;
  readonly suppressed: Suppressed;
  readonly mark: Pick<SuppressionMark, "current">;
  readonly lifetimes: ListLifetimes;
  readonly lookEveryMs?: number;
  readonly onError: (error: unknown) => void;
}

/** Deletes what deleted accounts left, and what is kept of lists no longer, and takes what came onto the suppression list out of results, step by step. */
export class ListUpkeep {
  readonly #parts: ListUpkeepParts;
  #looks: PeriodicWrite | undefined;
  #isClosed = false;

  constructor(parts: ListUpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#looks = new PeriodicWrite(() => this.#look(), this.#parts.lookEveryMs ?? LOOK_EVERY_MS);
    void this.#looks.now();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looks?.close();
  }

  async #look(): Promise<void> {
    try {
      await this.#inSteps();
    } catch (error) {
      if (!this.#isClosed) this.#parts.onError(error);
    }
  }

  async #inSteps(): Promise<void> {
    const { store, sweepDeleted, suppressed, mark, lifetimes } = this.#parts;
    while (!this.#isClosed && (await sweepDeleted())) await pause(STEP_PAUSE_MS);
    while (!this.#isClosed && (await store.sweepLists(lifetimes))) await pause(STEP_PAUSE_MS);
    if (this.#isClosed) return;
    const current = await mark.current();
    while (!this.#isClosed && (await renewStale({ store, suppressed }, current))) await pause(STEP_PAUSE_MS);
  }
}
