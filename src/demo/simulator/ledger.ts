/** Requests of one kind. */
export interface Count {
  readonly requests: number;
  readonly inFlight: number;
  /** A request whose caller hung up counts until the simulator has closed the connection. */
  readonly maxInFlight: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Counts requests, in total and by group, and keeps the log of the last ones. */
export class Ledger<Group extends string, Entry> {
  readonly #maxEntries: number;
  readonly #all = emptyCount();
  readonly #groups: Partial<Record<Group, Mutable<Count>>> = {};
  readonly #log: Entry[] = [];

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** Counts a request. @returns a function to call when it is over; only the first call counts */
  enter(group: Group | undefined): () => void {
    const counts: Mutable<Count>[] = [this.#all];
    if (group !== undefined) {
      this.#groups[group] ??= emptyCount();
      counts.push(this.#groups[group]);
    }
    for (const count of counts) {
      count.requests += 1;
      count.inFlight += 1;
      count.maxInFlight = Math.max(count.maxInFlight, count.inFlight);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const count of counts) count.inFlight -= 1;
    };
  }

  write(entry: Entry): void {
    if (this.#log.length >= this.#maxEntries) this.#log.shift();
    this.#log.push(entry);
  }

  get log(): readonly Entry[] {
    return [...this.#log];
  }

  get all(): Count {
    return { ...this.#all };
  }

  get groups(): Readonly<Partial<Record<Group, Count>>> {
    return structuredClone(this.#groups);
  }
}

export function emptyCount(): Mutable<Count> {
  return { requests: 0, inFlight: 0, maxInFlight: 0 };
}
