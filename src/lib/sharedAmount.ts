/**
 * An amount, such as bytes of memory, that accounts share. Each may hold at most half of what the others leave, so a
 * few accounts cannot take all.
 */
export class SharedAmount {
  readonly #limit: number;
  readonly #perAccount: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  /** @param perAccount the maximum for one account */
  constructor(limit: number, perAccount: number) {
    this.#limit = limit;
    this.#perAccount = perAccount;
  }

  hasRoom(account: string, amount: number): boolean {
    const own = this.#held.get(account) ?? 0;
    return own + amount <= Math.min(this.#perAccount, (this.#limit - this.#total + own) / 2);
  }

  /** Adds to the amount that an account holds. @param amount negative to give it back */
  hold(account: string, amount: number): void {
    const own = (this.#held.get(account) ?? 0) + amount;
    if (own > 0) this.#held.set(account, own);
    else this.#held.delete(account);
    this.#total += amount;
  }
}
