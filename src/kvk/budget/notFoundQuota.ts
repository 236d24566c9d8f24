import { randomUUID } from "node:crypto";
import type { CallStore } from "./callStore.ts";
import { dutchDay } from "./dutchDay.ts";

/** A permit for one call of a payer; to be released when the call is over. */
export interface Permit {
  release(wasNotFound: boolean): Promise<void>;
}

interface Waiter {
  readonly enter: (permit: Permit | "none-left" | "late") => void;
  readonly fail: (error: unknown) => void;
}

/** What this process has of a payer's day. */
interface OfPayer {
  readonly subject: string;
  readonly day: string;
  readonly holder: string;
  underWay: number;
  misses: number;
  readonly waiting: Set<Waiter>;
  /** Who waits until the store knows that they left. */
  leaving: PromiseWithResolvers<void>[];
  /** No more calls today that might find nothing. */
  isOver: boolean;
  isBusy: boolean;
  again: NodeJS.Timeout | undefined;
}

/** Payers that are remembered although nothing of theirs is under way. */
const MOST_REMEMBERED = 10_000;
/** While the permits are held by other processes this one asks again so often. */
const ASK_AGAIN_AFTER_MS = 100;
/** Longer than any call may be under way, with its tries. */
const LAPSES_AFTER_MS = 150_000;

/**
 * How many paid calls a day a payer may cause that find nothing, over all processes. While a call is under way it could be one of
 * those, so there are never more under way than are left: the others wait for them, and nobody is refused who may ask for what
 * exists. What a process held that died counts as missed.
 */
export class NotFoundQuota {
  readonly #store: Pick<CallStore, "holdPermits">;
  readonly #mostADay: number;
  readonly #now: () => number;
  readonly #payers = new Map<string, OfPayer>();

  constructor(store: Pick<CallStore, "holdPermits">, mostADay: number, now = Date.now) {
    this.#store = store;
    this.#mostADay = mostADay;
    this.#now = now;
  }

  /**
   * A permit for a call, when there is one; `none-left` for today, `late` when `deadline` ended before.
   * @throws {StoreUnavailable} when permits cannot be counted now
   */
  enter(subject: string, deadline: AbortSignal): Promise<Permit | "none-left" | "late"> {
    const payer = this.#payer(subject);
    if (payer.isOver) return Promise.resolve("none-left");
    return new Promise((resolve, reject) => {
      const late = () => waiter.enter("late");
      const ended = () => {
        payer.waiting.delete(waiter);
        deadline.removeEventListener("abort", late);
      };
      const waiter: Waiter = {
        enter: (permit) => {
          ended();
          resolve(permit);
        },
        fail: (error) => {
          ended();
          reject(error);
        },
      };
      payer.waiting.add(waiter);
      deadline.addEventListener("abort", late, { once: true });
      if (deadline.aborted) late();
      else void this.#ask(payer);
    });
  }

  /** One ask at a time for a payer, for all who enter and release meanwhile together. Never rejects. */
  async #ask(payer: OfPayer): Promise<void> {
    clearTimeout(payer.again);
    if (payer.isBusy) return;
    payer.isBusy = true;
    while (payer.leaving.length > 0 || payer.waiting.size > 0) {
      const left = payer.leaving.splice(0);
      const isNone = await this.#askOnce(payer).then(
        (granted) => {
          for (const { resolve } of left) resolve();
          return granted === 0;
        },
        (error: unknown) => {
          for (const { reject } of left) reject(error);
          for (const waiter of [...payer.waiting]) waiter.fail(error);
          return true;
        },
      );
      if (isNone && payer.leaving.length === 0) break;
    }
    payer.isBusy = false;
    if (payer.waiting.size === 0) return;
    payer.again = setTimeout(() => void this.#ask(payer), ASK_AGAIN_AFTER_MS);
    payer.again.unref();
  }

  /** @returns how many were let in */
  async #askOnce(payer: OfPayer): Promise<number> {
    const { subject, day, holder, underWay, misses, waiting } = payer;
    const nowMs = this.#now();
    const { granted, isOver } = await this.#store.holdPermits({
      ...{ subject, day, holder, underWay, misses },
      wanted: waiting.size,
      most: this.#mostADay,
      nowMs,
      lapsesAtMs: nowMs + LAPSES_AFTER_MS,
    });
    payer.isOver = isOver;
    // Who went meanwhile takes no permit; the store hears of it with the next ask.
    const entering = [...waiting].slice(0, granted);
    for (const waiter of entering) waiter.enter(this.#permit(payer));
    if (isOver) for (const waiter of [...waiting]) waiter.enter("none-left");
    if (entering.length < granted) this.#release(payer).catch(() => {});
    return entering.length;
  }

  #permit(payer: OfPayer): Permit {
    payer.underWay += 1;
    return {
      release: (wasNotFound) => {
        payer.underWay -= 1;
        if (wasNotFound) payer.misses += 1;
        return this.#release(payer);
      },
    };
  }

  /** Fulfilled when the store knows what is held now. */
  #release(payer: OfPayer): Promise<void> {
    const known = Promise.withResolvers<void>();
    payer.leaving.push(known);
    void this.#ask(payer);
    return known.promise;
  }

  #payer(subject: string): OfPayer {
    const day = dutchDay(this.#now());
    const id = `${subject} ${day}`;
    const known = this.#payers.get(id);
    if (known !== undefined) return known;
    if (this.#payers.size >= MOST_REMEMBERED) this.#forgetOne();
    const payer: OfPayer = {
      ...{ subject, day, holder: randomUUID(), underWay: 0, misses: 0, waiting: new Set(), leaving: [] },
      ...{ isOver: false, isBusy: false, again: undefined },
    };
    this.#payers.set(id, payer);
    return payer;
  }

  /** The oldest of whom nothing is under way; another holder counts for it when it comes back. */
  #forgetOne(): void {
    for (const [id, { underWay, waiting, leaving, isBusy }] of this.#payers) {
      if (underWay > 0 || waiting.size > 0 || leaving.length > 0 || isBusy) continue;
      this.#payers.delete(id);
      return;
    }
  }
}
