/** Limits of a pool that callers share. */
export interface SlotLimits {
  /** The total number of slots. */
  readonly slots: number;
  /** The maximum for one account, one client address, and all free tiers together. Unlimited by default. */
  readonly perAccount?: number;
  readonly perAddress?: number;
  readonly freeTiers?: number;
}

/** The owner of a slot. The limit of an absent field does not apply. */
export interface SlotOwner {
  readonly account?: string | undefined;
  readonly address?: string | undefined;
  readonly isFree?: boolean | undefined;
}

/** A fixed number of slots with limits per owner. */
export class SlotPool {
  readonly #limits: Required<SlotLimits>;
  /** The number of slots in use, by the limit to which they count. */
  readonly #counts = new Map<string, number>();

  constructor({ slots, perAccount = slots, perAddress = slots, freeTiers = slots }: SlotLimits) {
    this.#limits = { slots, perAccount, perAddress, freeTiers };
  }

  /** @returns a function that releases the slot, at most once; undefined when a limit is reached */
  acquire({ account, address, isFree }: SlotOwner): (() => void) | undefined {
    const { slots, perAccount, perAddress, freeTiers } = this.#limits;
    const limits = new Map([["", slots]]);
    if (isFree === true) limits.set("free", freeTiers);
    if (account !== undefined) limits.set(`account ${account}`, perAccount);
    if (address !== undefined) limits.set(`address ${address}`, perAddress);
    for (const [name, limit] of limits) if (this.#countOf(name) >= limit) return undefined;
    for (const name of limits.keys()) this.#counts.set(name, this.#countOf(name) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const name of limits.keys()) {
        const remaining = this.#countOf(name) - 1;
        if (remaining > 0) this.#counts.set(name, remaining);
        else this.#counts.delete(name);
      }
    };
  }

  /** The number of slots of an owner: by its account or by its address, whichever is higher. */
  slotsOf({ account, address }: SlotOwner): number {
    return Math.max(this.#countOf(`account ${account}`), this.#countOf(`address ${address}`));
  }

  /** The number of slots in use. */
  get inUse(): number {
    return this.#countOf("");
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}
