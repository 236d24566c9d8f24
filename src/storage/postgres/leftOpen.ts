const LEFT_FOR_MS = 20;
const MOST_ACCOUNTS = 10_000;

/**
 * Accounts of which the database has just left a call undecided: most likely it would leave the next one too, and a node
 * would pay two transactions for each batch of an account that is over its allowance or holds reservations.
 */
export class LeftOpen {
  readonly #untilMs = new Map<string, number>();

  add(accountId: string): void {
    if (this.#untilMs.size >= MOST_ACCOUNTS) this.#untilMs.clear();
    this.#untilMs.set(accountId, performance.now() + LEFT_FOR_MS);
  }

  has(accountId: string): boolean {
    const untilMs = this.#untilMs.get(accountId);
    if (untilMs === undefined) return false;
    if (untilMs > performance.now()) return true;
    this.#untilMs.delete(accountId);
    return false;
  }
}
