interface Entry<Value> {
  readonly key: string;
  value: Value;
  /** The one used next before this one; the other way round for `newer`. */
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/**
 * A cache with a bound: when it is full, the entry that was not used for longest is let go, one for each new one. A `Map` beside a
 * doubly linked list: in a `Map` alone, whose order is that of setting, each use leaves a hole, over which the look for the
 * oldest entry must step, thousands of them in a large cache.
 */
export class LeastRecentlyUsed<Value> {
  readonly #most: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #newest: Entry<Value> | undefined;
  #oldest: Entry<Value> | undefined;

  /** @param most entries that are kept, 1 or more */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, which is used by that. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(entry);
    return entry.value;
  }

  /** The value, without using it. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** What is kept under the key, else what `make` gives, which is kept from now on. */
  getOrMake(key: string, make: () => Value): Value {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#use(entry);
      return entry.value;
    }
    const made = make();
    this.set(key, made);
    return made;
  }

  set(key: string, value: Value): void {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.#use(known);
      return;
    }
    const entry: Entry<Value> = { key, value, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#putFirst(entry);
    if (this.#entries.size > this.#most && this.#oldest !== undefined) this.delete(this.#oldest.key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#takeOut(entry);
  }

  #use(entry: Entry<Value>): void {
    if (entry === this.#newest) return;
    this.#takeOut(entry);
    this.#putFirst(entry);
  }

  #takeOut(entry: Entry<Value>): void {
    const { older, newer } = entry;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
  }

  #putFirst(entry: Entry<Value>): void {
    entry.newer = undefined;
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }
}
