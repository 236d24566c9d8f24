import { randomUUID } from "node:crypto";
import { withDeadline } from "../../lib/deadline.ts";
import type { PaidCallQueries } from "../queries/paidCalls.ts";
import { dutchDay } from "./dutchDay.ts";

/** A permit for one call of a payer, to be released after the call. */
export interface Permit {
  /** Fulfilled when it is stored. @throws {StoreUnavailable} */
  release(wasNotFound: boolean): Promise<void>;
}

/** The permits of a payer for a day, in this process. */
interface PayerDay {
  readonly subject: string;
  readonly day: string;
  readonly holder: string;
  running: number;
  misses: number;
  waiting: number;
  /** Permits that the store granted and no waiting call has taken yet. */
  granted: number;
  /** No more calls are permitted today. */
  isOver: boolean;
  /** The last write granted nothing to waiting calls. */
  isFull: boolean;
  /** Fulfilled when a permit is released after the last write. */
  released: PromiseWithResolvers<void>;
  /** The write that is sent next. */
  next: Promise<void> | undefined;
  /** The write that was sent last. */
  sent: Promise<unknown> | undefined;
}

/** Payers that are kept in memory without calls in progress. */
const MAX_REMEMBERED = 10_000;
/** Delay before asking the store again while other processes hold all permits. */
const RETRY_AFTER_MS = 100;
/** Longer than any call with its retries. */
const LAPSES_AFTER_MS = 150_000;

/**
 * Limits a payer's paid calls per day for numbers that do not exist, over all processes. Each call in progress may turn
 * out to be one, so their number never exceeds the rest of the quota; further calls wait until a permit is free.
 * Permits of a process that died count as misses. The process writes the counts of a payer to the store, one write at a
 * time, and each write asks for permits for all waiting calls.
 */
export class NotFoundQuota {
  readonly #store: Pick<PaidCallQueries, "holdPermits">;
  readonly #maxADay: number;
  readonly #now: () => number;
  readonly #payers = new Map<string, PayerDay>();

  constructor(store: Pick<PaidCallQueries, "holdPermits">, maxADay: number, now = Date.now) {
    this.#store = store;
    this.#maxADay = maxADay;
    this.#now = now;
  }

  /**
   * Waits for a permit; `none-left` for today, `late` when `deadline` ended before.
   * @throws {StoreUnavailable} when permits cannot be counted now
   */
  async enter(subject: string, deadline: AbortSignal): Promise<Permit | "none-left" | "late"> {
    const payer = this.#payer(subject);
    payer.waiting += 1;
    try {
      while (!deadline.aborted) {
        if (payer.isOver) return "none-left";
        if (payer.granted > 0) return this.#take(payer);
        await withDeadline(deadline, this.#write(payer));
      }
      return "late";
    } finally {
      payer.waiting -= 1;
      if (payer.granted > payer.waiting) this.#write(payer).catch(() => {});
    }
  }

  #take(payer: PayerDay): Permit {
    payer.granted -= 1;
    payer.running += 1;
    return {
      release: (wasNotFound) => {
        payer.running -= 1;
        if (wasNotFound) payer.misses += 1;
        payer.released.resolve();
        return this.#write(payer);
      },
    };
  }

  /** Joins the next write, which includes all changes up to now. */
  #write(payer: PayerDay): Promise<void> {
    payer.next ??= this.#send(payer);
    return payer.next;
  }

  async #send(payer: PayerDay): Promise<void> {
    await payer.sent?.catch(() => {});
    if (payer.isFull) {
      const retry = new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS).unref());
      await Promise.race([payer.released.promise, retry]);
    }
    payer.next = undefined;
    payer.released = Promise.withResolvers();
    const { subject, day, holder, misses, waiting } = payer;
    payer.granted = Math.min(payer.granted, waiting);
    const wanted = waiting - payer.granted;
    const nowMs = this.#now();
    const sent = this.#store.holdPermits({
      ...{ subject, day, holder, misses, wanted, nowMs },
      inProgress: payer.running + payer.granted,
      most: this.#maxADay,
      lapsesAtMs: nowMs + LAPSES_AFTER_MS,
    });
    payer.sent = sent;
    const { granted, isOver } = await sent;
    payer.granted += granted;
    payer.isOver = isOver;
    payer.isFull = granted === 0 && wanted > 0;
  }

  #payer(subject: string): PayerDay {
    const day = dutchDay(this.#now());
    const id = `${subject} ${day}`;
    const known = this.#payers.get(id);
    if (known !== undefined) return known;
    if (this.#payers.size >= MAX_REMEMBERED) this.#forgetOne();
    const payer: PayerDay = {
      ...{ subject, day, holder: randomUUID(), running: 0, misses: 0, waiting: 0, granted: 0 },
      ...{
        isOver: false,
        isFull: false,
        released: Promise.withResolvers(),
        next: undefined,
        sent: undefined,
      },
    };
    this.#payers.set(id, payer);
    return payer;
  }

  /** Evicts the oldest payer without calls; it gets a new holder in the store when it returns. */
  #forgetOne(): void {
    for (const [id, { running, waiting, next }] of this.#payers) {
      if (running + waiting > 0 || next !== undefined) continue;
      this.#payers.delete(id);
      return;
    }
  }
}
