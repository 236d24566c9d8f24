export interface Count {
  readonly requests: number;
  readonly inFlight: number;
  /** The most that were under way at once. Who hangs up counts until the simulator's side of the connection is closed. */
  readonly mostInFlight: number;
}

/** Counts requests of one kind. */
export class Tally {
  #requests = 0;
  #mostInFlight = 0;
  inFlight = 0;

  enter(): void {
    this.#requests += 1;
    this.inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.inFlight);
  }

  get count(): Count {
    return { requests: this.#requests, inFlight: this.inFlight, mostInFlight: this.#mostInFlight };
  }
}

/** Counts a request in several tallies. @returns what to call, once or more often, when it is over */
export function enterAll(tallies: readonly Tally[]): () => void {
  for (const tally of tallies) tally.enter();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    for (const tally of tallies) tally.inFlight -= 1;
  };
}

/** A list that forgets its beginning. */
export class RecentList<T> {
  readonly #most: number;
  readonly #items: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(item: T): void {
    if (this.#items.length >= this.#most) this.#items.shift();
    this.#items.push(item);
  }

  get items(): readonly T[] {
    return [...this.#items];
  }
}
