import { setTimeout as pause } from "node:timers/promises";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { renewStale } from "./renewing.ts";
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
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: ListUpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), this.#parts.lookEveryMs ?? LOOK_EVERY_MS).unref();
    this.#look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  #look(): void {
    if (this.#isClosed) return;
    this.#underWay ??= this.#inSteps()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#parts.onError(error);
      })
      .finally(() => {
        this.#underWay = undefined;
      });
  }

  async #inSteps(): Promise<void> {
    const { store, sweepDeleted, suppressed, mark, lifetimes } = this.#parts;
    while (!this.#isClosed && (await sweepDeleted())) await pause(STEP_PAUSE_MS);
    while (!this.#isClosed && (await store.sweepLists(lifetimes))) await pause(STEP_PAUSE_MS);
    const current = await mark.current();
    while (!this.#isClosed && (await renewStale({ store, suppressed }, current))) await pause(STEP_PAUSE_MS);
  }
}
