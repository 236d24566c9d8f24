import { LRUCache } from "lru-cache";

/** At 120 bytes each. */
const MAX_ACCOUNTS = 20_000;

/** How many calls were left out of the lists of accounts since this process began. */
export class LeftOutCalls {
  readonly #counts = new LRUCache<string, number>({ max: MAX_ACCOUNTS });

  add(accountId: string): void {
    this.#counts.set(accountId, this.of(accountId) + 1);
  }

  /** Fewer when too many accounts called since. */
  of(accountId: string): number {
    return this.#counts.peek(accountId) ?? 0;
  }
}
