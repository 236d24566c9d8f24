/** Limits of a pool that callers share. */
export interface Bounds {
  /** The total number of places. */
  readonly places: number;
  /** The maximum for one account, one client address, and all free tiers together; all places when absent. */
  readonly perAccount?: number;
  readonly perAddress?: number;
  readonly freeTiers?: number;
}

/** The holder of a place. Absent fields have no limit. */
export interface Taker {
  readonly account?: string | undefined;
  readonly address?: string | undefined;
  readonly isFree?: boolean | undefined;
}

/** The places of a pool, with limits that leave room for others. */
export class Places {
  readonly #bounds: Required<Bounds>;
  /** Taken places, by the limit that they count towards. */
  readonly #taken = new Map<string, number>();

  constructor({ places, perAccount = places, perAddress = places, freeTiers = places }: Bounds) {
    this.#bounds = { places, perAccount, perAddress, freeTiers };
  }

  /** @returns a function that releases the place, once; undefined when there is none for this taker */
  take({ account, address, isFree }: Taker): (() => void) | undefined {
    const { places, perAccount, perAddress, freeTiers } = this.#bounds;
    const counted = new Map([["", places]]);
    if (isFree === true) counted.set("free", freeTiers);
    if (account !== undefined) counted.set(`account ${account}`, perAccount);
    if (address !== undefined) counted.set(`address ${address}`, perAddress);
    for (const [name, bound] of counted) if (this.#countOf(name) >= bound) return undefined;
    for (const name of counted.keys()) this.#taken.set(name, this.#countOf(name) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const name of counted.keys()) {
        const left = this.#countOf(name) - 1;
        if (left > 0) this.#taken.set(name, left);
        else this.#taken.delete(name);
      }
    };
  }

  /** The number of places that a taker has, by its account or its address, whichever is higher. */
  heldBy({ account, address }: Taker): number {
    return Math.max(this.#countOf(`account ${account}`), this.#countOf(`address ${address}`));
  }

  /** The number of taken places. */
  get taken(): number {
    return this.#countOf("");
  }

  #countOf(name: string): number {
    return this.#taken.get(name) ?? 0;
  }
}
