/** Keeps what was asked most recently, up to a number of entries. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept under the key, else what `make` gives, which is kept from now on. */
  get(key: string, make: () => Value): Value {
    const kept = this.#values.get(key);
    if (kept !== undefined) {
      // A Map lists its keys in the order in which they were set: the first is the one not asked for longest.
      this.#values.delete(key);
      this.#values.set(key, kept);
      return kept;
    }
    const made = make();
    this.#values.set(key, made);
    if (this.#values.size > this.#most) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return made;
  }
}
