import { boundedCache } from "./boundedCache.ts";

export interface StoredCacheOptions<Entry> {
  /** The number of entries in memory, the most recently used. */
  readonly maxInMemory: number;
  /** Reads the entries of keys from the store, in their order; undefined (or null) for a missing one. */
  readonly read: (keys: readonly string[]) => Promise<readonly (Entry | null | undefined)[]>;
  /** Whether an entry is newer than another. */
  readonly isNewer: (one: Entry, other: Entry) => boolean;
}

/** A cache in two layers, the memory of this process over a shared store. */
export class StoredCache<Entry extends object> {
  readonly #options: StoredCacheOptions<Entry>;
  readonly #memory;

  constructor(options: StoredCacheOptions<Entry>) {
    this.#options = options;
    this.#memory = boundedCache<string, Entry>(options.maxInMemory);
  }

  /** The entry in the memory of this process; the store may have a newer one. */
  get(key: string): Entry | undefined {
    return this.#memory.get(key);
  }

  /** Reads entries from the store, in the order of the keys, into memory. Rejects as the store does. */
  async read(keys: readonly string[]): Promise<(Entry | undefined)[]> {
    const found = await this.#options.read(keys);
    return keys.map((key, index) => {
      const entry = found[index] ?? undefined;
      if (entry !== undefined) this.#note(key, entry);
      return entry;
    });
  }

  /**
   * Writes an entry to the store with `write`, then to memory, so that callers never see an unstored entry: when
   * `write` rejects nothing has changed.
   * @param make creates the entry from the one in memory after the write
   */
  async keep(
    key: string,
    write: () => Promise<void>,
    make: (before: Entry | undefined) => Entry,
  ): Promise<Entry> {
    await write();
    const entry = make(this.#memory.peek(key));
    this.#note(key, entry);
    return entry;
  }

  /**
   * Updates memory with an entry that is in the store. A newer entry in memory stays: a slow read of the store may end
   * late.
   */
  #note(key: string, entry: Entry): void {
    const known = this.#memory.peek(key);
    if (known !== undefined && this.#options.isNewer(known, entry)) return;
    this.#memory.set(key, entry);
  }
}
