import { setTimeout as pause } from "node:timers/promises";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import type { JobQueries } from "./queries/jobs.ts";
import { renewStale } from "./results.ts";
import type { ListLifetimes } from "./stored.ts";
import type { SuppressionMark } from "./suppressionMark.ts";

const POLL_EVERY_MS = 30_000;
/** Lets other callers use the state between two steps. */
const STEP_PAUSE_MS = 50;

export interface ListUpkeepParts {
  readonly store: JobQueries;
  /** Deletes some data of deleted accounts. @returns whether there may be more */
  readonly sweepDeleted: () => Promise<boolean>;
  /** Erases some data of removed court cases. @returns whether there may be more */
  readonly eraseRemoved: () => Promise<boolean>;
  readonly suppressed: Suppressed;
  readonly mark: Pick<SuppressionMark, "current">;
  readonly lifetimes: ListLifetimes;
  readonly pollEveryMs?: number;
  /** Called once, with the kinds of waiting lists that only another version can process. */
  readonly onUnknownKinds: (kinds: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Deletes expired lists and the remains of deleted accounts and removed court cases, and removes newly suppressed
 * companies from results, in small steps.
 */
export class ListUpkeep {
  readonly #parts: ListUpkeepParts;
  #upkeep: PeriodicWrite | undefined;
  #isClosed = false;
  #hasReported = false;

  constructor(parts: ListUpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#upkeep = new PeriodicWrite(() => this.#runRound(), this.#parts.pollEveryMs ?? POLL_EVERY_MS);
    void this.#upkeep.now();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#upkeep?.close();
  }

  async #runRound(): Promise<void> {
    const { store, sweepDeleted, eraseRemoved, suppressed, mark, lifetimes, onUnknownKinds, onError } =
      this.#parts;
    try {
      await this.#repeat(sweepDeleted);
      await this.#repeat(eraseRemoved);
      await this.#repeat(() => store.sweepLists(lifetimes));
      if (this.#isClosed) return;
      const kinds = this.#hasReported ? [] : await store.unknownKinds();
      this.#hasReported ||= kinds.length > 0;
      if (kinds.length > 0) onUnknownKinds(kinds);
      const current = await mark.current();
      await this.#repeat(() => renewStale(store, suppressed, current));
    } catch (error) {
      if (!this.#isClosed) onError(error);
    }
  }

  async #repeat(step: () => Promise<boolean>): Promise<void> {
    while (!this.#isClosed && (await step())) await pause(STEP_PAUSE_MS);
  }
}
