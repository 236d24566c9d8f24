/** Keeps values by their key; when there are too many, the one not used for longest is let go. */
export class RecentlyUsed<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    // A Map lists its keys in the order in which they were set: the first is the one not used for longest.
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** The value, without using it. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }
}
