import { LeastRecentlyUsed } from "../lib/leastRecentlyUsed.ts";

/** At 120 bytes each. */
const MOST_ACCOUNTS = 20_000;

/** How many calls were left out of the lists of accounts since this process began, for all its threads. */
export interface LeftOutCalls {
  add(accountId: string): void;
  /** Fewer where too many accounts called since. */
  of(accountId: string): Promise<number>;
}

export class LeftOutCounts implements LeftOutCalls {
  readonly #counts = new LeastRecentlyUsed<number>(MOST_ACCOUNTS);

  add(accountId: string, count = 1): void {
    this.#counts.set(accountId, (this.#counts.peek(accountId) ?? 0) + count);
  }

  async of(accountId: string): Promise<number> {
    return this.#counts.peek(accountId) ?? 0;
  }
}
