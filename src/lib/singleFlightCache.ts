import { type BoundedCache, boundedCache } from "./boundedCache.ts";

export interface CacheSource<Entry> {
  /** The number of entries in memory, the most recently used; with 0 each is read from the store. */
  readonly maxInMemory: number;
  /** Reads the entries of keys from the store, in their order; undefined (or null) for a missing one. */
  readonly read: (keys: readonly string[]) => Promise<readonly (Entry | null | undefined)[]>;
  /** Whether an entry is newer than another. */
  readonly isNewer: (one: Entry, other: Entry) => boolean;
}

/**
 * A cache in two layers, the memory of this process over a shared store, with single flight for fetches: however many
 * callers miss the same entry at once, it is fetched once, and all of them get that result.
 *
 * Memory is an LRU. Each flight has waiting callers when it starts, and is removed when it ends.
 */
export class SingleFlightCache<Entry extends object, Result> {
  readonly #source: CacheSource<Entry>;
  readonly #memory: BoundedCache<string, Entry> | undefined;
  readonly #flights = new Map<string, Promise<Result>>();

  constructor(source: CacheSource<Entry>) {
    this.#source = source;
    this.#memory = source.maxInMemory > 0 ? boundedCache(source.maxInMemory) : undefined;
  }

  /** The entry in the memory of this process; the store may have a newer one. */
  get(key: string): Entry | undefined {
    return this.#memory?.get(key);
  }

  /** Reads entries from the store, in the order of the keys, into memory. Rejects as the store does. */
  async read(keys: readonly string[]): Promise<(Entry | undefined)[]> {
    const found = await this.#source.read(keys);
    return keys.map((key, index) => {
      const entry = found[index] ?? undefined;
      if (entry !== undefined) this.note(key, entry);
      return entry;
    });
  }

  /**
   * Writes an entry to the store with `write`, then to memory, so that callers never see an unstored entry: when `write`
   * rejects nothing has changed.
   * @param make creates the entry from the one in memory after the write
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

  /** The running flight of this name; undefined when there is none. */
  inProgress(flight: string): Promise<Result> | undefined {
    return this.#flights.get(flight);
  }

  /**
   * The result of the flight of this name, started with `fetch` when none is running. It runs to its end and its result
   * is stored even when callers stop waiting. A failure goes to all waiting callers, and the next caller starts a new
   * one.
   */
  fly(flight: string, fetch: () => Promise<Result>): Promise<Result> {
    const known = this.#flights.get(flight);
    if (known !== undefined) return known;
    const result = fetch().finally(() => this.#flights.delete(flight));
    this.#flights.set(flight, result);
    // All callers may have stopped waiting.
    result.catch(() => {});
    return result;
  }

  /** Updates memory with an entry that is in the store. A newer entry in memory stays: a slow read of the store may end late. */
  note(key: string, entry: Entry): void {
    const known = this.#memory?.peek(key);
    if (known !== undefined && this.#source.isNewer(known, entry)) return;
    this.#memory?.set(key, entry);
  }
}
