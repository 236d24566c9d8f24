/** Limits of a {@link SharedAmount}. */
export interface AmountLimits {
  readonly total: number;
  readonly perAccount: number;
}

/** An amount, such as bytes of memory, that accounts share. Each may hold at most half of what the others leave, so a few accounts cannot take all. */
export class SharedAmount {
  readonly #limits: AmountLimits;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: AmountLimits) {
    this.#limits = limits;
  }

  hasRoom(account: string, amount: number): boolean {
    const { total, perAccount } = this.#limits;
    const own = this.#held.get(account) ?? 0;
    return own + amount <= Math.min(perAccount, (total - (this.#total - own)) / 2);
  }

  /** Adds to the amount that an account holds. @param amount negative to give it back */
  hold(account: string, amount: number): void {
    const own = (this.#held.get(account) ?? 0) + amount;
    if (own > 0) this.#held.set(account, own);
    else this.#held.delete(account);
    this.#total += amount;
  }
}
