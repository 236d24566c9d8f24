import { LRUCache } from "lru-cache";

export interface CacheSource<Entry> {
  /** So many entries stay in memory, the most recently used; with 0 each is read from the store. */
  readonly mostInMemory: number;
  /** What the store holds of each key, in their order; undefined (or null) where nothing is. */
  readonly read: (keys: readonly string[]) => Promise<readonly (Entry | null | undefined)[]>;
  /** Whether an entry was made after another. */
  readonly isNewer: (one: Entry, other: Entry) => boolean;
}

/**
 * A cache in two layers, the memory of this process over a store that all share, and single flight over what fills it: however
 * many callers miss the same thing at once, it is fetched once, and all of them are given that result.
 *
 * Memory is an LRU and lets one entry go for each new one; there are no more flights than callers who wait, each gone when it is over.
 */
export class SingleFlightCache<Entry extends object, Result> {
  readonly #source: CacheSource<Entry>;
  readonly #memory: LRUCache<string, Entry> | undefined;
  readonly #flights = new Map<string, Promise<Result>>();

  constructor(source: CacheSource<Entry>) {
    this.#source = source;
    this.#memory = source.mostInMemory > 0 ? new LRUCache({ max: source.mostInMemory }) : undefined;
  }

  /** What this process knows to be held; another process may know better. */
  get(key: string): Entry | undefined {
    return this.#memory?.get(key);
  }

  /** What the store holds of each key, in their order; in memory afterwards. Rejects as the store does. */
  async read(keys: readonly string[]): Promise<(Entry | undefined)[]> {
    const found = await this.#source.read(keys);
    return keys.map((key, index) => {
      const entry = found[index] ?? undefined;
      if (entry !== undefined) this.note(key, entry);
      return entry;
    });
  }

  /**
   * Puts an entry in the store with `write`, then in memory, so that nobody is told what is not kept: when `write` rejects nothing
   * has changed.
   * @param make the entry, out of the one that is in memory when the store has been written
   */
  async keep(
    key: string,
    write: () => Promise<void>,
    make: (before: Entry | undefined) => Entry,
  ): Promise<Entry> {
    await write();
    const entry = make(this.#memory?.peek(key));
    this.note(key, entry);
    return entry;
  }

  /** The flight of this name that is under way; undefined when there is none. */
  underWay(flight: string): Promise<Result> | undefined {
    return this.#flights.get(flight);
  }

  /**
   * The result of the flight of this name, which `fetch` begins when none is under way. Whoever gives up waiting leaves it to the others;
   * it goes on to its end, and what it brings is kept although nobody may wait any more. A failure is told to all who
   * wait, and the next caller begins anew.
   */
  fly(flight: string, fetch: () => Promise<Result>): Promise<Result> {
    const known = this.#flights.get(flight);
    if (known !== undefined) return known;
    const begun = fetch().finally(() => this.#flights.delete(flight));
    this.#flights.set(flight, begun);
    // All who waited may have gone: then nobody hears of what failed.
    begun.catch(() => {});
    return begun;
  }

  /**
   * Puts in memory what the store holds by now, as somebody else has told. A slow reading of the store may end after something newer was
   * kept: the newer one stays.
   */
  note(key: string, entry: Entry): void {
    const known = this.#memory?.peek(key);
    if (known !== undefined && this.#source.isNewer(known, entry)) return;
    this.#memory?.set(key, entry);
  }
}
