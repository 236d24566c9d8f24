import { type SlotLimits, type SlotOwner, SlotPool } from "./slotPool.ts";

/** A caller that waits for its turn. */
export interface Waiter extends SlotOwner {
  /** Aborts the wait, for example when the caller has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

export interface FairQueueOptions {
  /** The number of turns that run at the same time. */
  readonly concurrency: number;
  /** Limits for running and waiting turns together. */
  readonly limits: SlotLimits;
  /** Unlimited by default. */
  readonly maxWaitMs?: number;
}

/** Ends a turn, at most once. */
export type EndTurn = () => void;

interface QueueEntry {
  /** The number of slots that its owner already had. */
  readonly rank: number;
  readonly start: () => void;
}

/** Gives out turns first come, first served, except that everyone's first turn comes before anyone's second. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #slots: SlotPool;
  /** In the order in which they will start. */
  readonly #waiting: QueueEntry[] = [];
  #inProgress = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#slots = new SlotPool(options.limits);
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a turn.
   * @returns a function that ends the turn, at most once; undefined when there is no free slot, the wait took too long
   * or was aborted. A promise only if there is a wait
   */
  acquire({ signal, ...owner }: Waiter = {}): EndTurn | undefined | Promise<EndTurn | undefined> {
    const { concurrency, maxWaitMs } = this.#options;
    if (signal?.aborted === true) return undefined;
    const rank = this.#slots.slotsOf(owner);
    const releaseSlot = this.#slots.acquire(owner);
    if (releaseSlot === undefined) return undefined;
    if (this.#inProgress < concurrency) {
      this.#inProgress += 1;
      return this.#turn(releaseSlot);
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      const start = () => {
        leave();
        resolve(this.#turn(releaseSlot));
      };
      const giveUp = () => {
        leave();
        releaseSlot();
        resolve(undefined);
      };
      const entry = { rank, start };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      this.#waiting.splice(this.#waiting.findLastIndex((other) => other.rank <= rank) + 1, 0, entry);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #turn(releaseSlot: () => void): EndTurn {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      releaseSlot();
      // The next entry inherits this turn.
      const [next] = this.#waiting;
      if (next === undefined) this.#inProgress -= 1;
      else next.start();
    };
  }
}
