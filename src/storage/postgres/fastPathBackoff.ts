import { LeastRecentlyUsed } from "../../lib/leastRecentlyUsed.ts";

/** An account that the fast path has just left is not tried again for so long. */
const BACK_OFF_MS = 20;
/** Far more than are decided about in that time, at 150 bytes each. */
const MOST_ACCOUNTS = 10_000;

/**
 * Accounts of which the fast path has just left a call undecided: most likely it would leave the next one too, and a node would pay two
 * transactions for each batch of an account that is over its allowance or holds reservations.
 */
export class FastPathBackoff {
  readonly #untilMs = new LeastRecentlyUsed<number>(MOST_ACCOUNTS);

  add(accountId: string): void {
    this.#untilMs.set(accountId, performance.now() + BACK_OFF_MS);
  }

  has(accountId: string): boolean {
    const untilMs = this.#untilMs.get(accountId);
    if (untilMs === undefined) return false;
    if (untilMs > performance.now()) return true;
    this.#untilMs.delete(accountId);
    return false;
  }
}
