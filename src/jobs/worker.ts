import { withTimeout } from "../lib/deadline.ts";
import type { JobStore } from "./store.ts";
import type { ListTurn } from "./turn.ts";

const LOOK_EVERY_MS = 1_000;
/** After a failure of the store. */
const FAILED_PAUSE_MS = 5_000;
const CLOSE_WITHIN_MS = 10_000;

export interface ListWorkerParts {
  readonly store: Pick<JobStore, "claimList">;
  readonly turn: Pick<ListTurn, "work" | "end" | "leaseMs">;
  /** Told when the store fails, once until it works again. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

/** Works lists, one after the other, each for a while: every process does so. */
export class ListWorker {
  readonly #parts: ListWorkerParts;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(parts: ListWorkerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.nudge();
  }

  /** Looks for lists at once: one was just begun. */
  nudge(): void {
    if (this.#isClosed || this.#working !== undefined) return;
    clearTimeout(this.#timer);
    this.#working = this.#workAll()
      .then(() => {
        this.#hasFailed = false;
        return this.#parts.lookEveryMs ?? LOOK_EVERY_MS;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed && !this.#isClosed) this.#parts.onError(error);
        this.#hasFailed = true;
        return FAILED_PAUSE_MS;
      })
      .then((pauseMs) => {
        this.#working = undefined;
        if (!this.#isClosed) this.#timer = setTimeout(() => this.nudge(), pauseMs).unref();
      });
  }

  /** Keeps what is worked already, and leaves the rest to another process or to the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#parts.turn.end();
    if (this.#working !== undefined) await withTimeout(CLOSE_WITHIN_MS, this.#working);
  }

  async #workAll(): Promise<void> {
    const { store, turn } = this.#parts;
    while (!this.#isClosed) {
      const list = await store.claimList(turn.leaseMs);
      if (list === undefined) return;
      await turn.work(list);
    }
  }
}
