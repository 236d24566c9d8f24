/** So many messages of one key are answered at once, and of all keys of a thread together. */
const MOST_OF_A_KEY = 32;
const MOST_OF_ALL = 512;

/** How many messages are under way, for each key and for all: the bulkhead of what reads them. */
export class PlacesOfKeys {
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** @returns what gives the place back, undefined when there is none */
  take(keyId: string): (() => void) | undefined {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken >= MOST_OF_A_KEY || this.#all >= MOST_OF_ALL) return undefined;
    this.#taken.set(keyId, taken + 1);
    this.#all++;
    return () => this.#leave(keyId);
  }

  #leave(keyId: string): void {
    this.#all--;
    const left = (this.#taken.get(keyId) ?? 1) - 1;
    if (left === 0) this.#taken.delete(keyId);
    else this.#taken.set(keyId, left);
  }
}
