/** Bounds of a pool that callers share. */
export interface Bounds {
  /** Places in all. */
  readonly places: number;
  /** Of these, the places of one account, of one client address, and of all free tiers together; all when left out. */
  readonly perAccount?: number;
  readonly perAddress?: number;
  readonly freeTiers?: number;
}

/** The holder of a place. Fields that are left out have no share. */
export interface Taker {
  readonly account?: string | undefined;
  readonly address?: string | undefined;
  readonly isFree?: boolean | undefined;
}

/** The places of a pool, with shares that leave room for others. */
export class Places {
  readonly #bounds: Required<Bounds>;
  /** Taken places, by whom they count for. */
  readonly #taken = new Map<string, number>();

  constructor({ places, perAccount = places, perAddress = places, freeTiers = places }: Bounds) {
    this.#bounds = { places, perAccount, perAddress, freeTiers };
  }

  /** @returns what gives the place back, once; undefined when there is none for this taker */
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

  /** How many places count for a taker already, for its account or its address, whichever are more. */
  heldBy({ account, address }: Taker): number {
    return Math.max(this.#countOf(`account ${account}`), this.#countOf(`address ${address}`));
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#countOf("");
  }

  #countOf(name: string): number {
    return this.#taken.get(name) ?? 0;
  }
}
