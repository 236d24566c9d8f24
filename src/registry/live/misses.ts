import { dutchDay } from "./dutchDay.ts";
import type { LiveStore } from "./store.ts";

/** What an account has under way, and how many of its calls are known to have found nothing today. */
interface OfAccount {
  readonly day: string;
  known: number;
  underWay: number;
  readonly waiting: Set<() => void>;
}

/** A place for one call of an account; to be left when the call is over. */
export interface Place {
  leave(wasMiss: boolean): Promise<void>;
}

/**
 * How many paid calls a day an account may cause that find nothing. While a call is under way it could be one of those, so
 * there are never more under way than are left: the others wait for them, and nobody is refused who may ask for what exists.
 */
export class Misses {
  readonly #store: Pick<LiveStore, "countMiss" | "missesOf">;
  readonly #mostADay: number;
  readonly #now: () => number;
  readonly #accounts = new Map<string, OfAccount>();

  constructor(store: Pick<LiveStore, "countMiss" | "missesOf">, mostADay: number, now = Date.now) {
    this.#store = store;
    this.#mostADay = mostADay;
    this.#now = now;
  }

  /** A place for a call, when there is one; `none-left` for today, `late` when `deadline` ended before. */
  async enter(accountId: string, deadline: AbortSignal): Promise<Place | "none-left" | "late"> {
    for (;;) {
      const account = this.#account(accountId);
      const counted = await this.#store.missesOf(accountId, account.day);
      account.known = Math.max(account.known, counted);
      if (deadline.aborted) return "late";
      if (account.known >= this.#mostADay) return "none-left";
      if (account.known + account.underWay < this.#mostADay) return this.#place(accountId, account);
      await leftOrLate(account.waiting, deadline);
    }
  }

  #place(accountId: string, account: OfAccount): Place {
    account.underWay += 1;
    return {
      leave: async (wasMiss) => {
        try {
          if (wasMiss) await this.#store.countMiss(accountId, account.day);
        } finally {
          if (wasMiss) account.known += 1;
          account.underWay -= 1;
          for (const goOn of account.waiting) goOn();
        }
      },
    };
  }

  #account(accountId: string): OfAccount {
    const day = dutchDay(this.#now());
    const known = this.#accounts.get(accountId);
    if (known?.day === day) return known;
    for (const [id, account] of this.#accounts) {
      if (account.day !== day && account.underWay === 0) this.#accounts.delete(id);
    }
    const account = { day, known: 0, underWay: 0, waiting: new Set<() => void>() };
    this.#accounts.set(accountId, account);
    return account;
  }
}

/** Waits until somebody leaves, or for the end of a deadline. */
function leftOrLate(waiting: Set<() => void>, deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      waiting.delete(goOn);
      deadline.removeEventListener("abort", goOn);
      resolve();
    };
    waiting.add(goOn);
    deadline.addEventListener("abort", goOn, { once: true });
    if (deadline.aborted) goOn();
  });
}
