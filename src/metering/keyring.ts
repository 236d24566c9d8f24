import { hashKey, isWellFormedKey, looksLikeKey } from "../contract/keyForm.ts";
import { MeterOverloaded } from "./meter.ts";
import type { MeteringStore } from "./store.ts";

const MOST_KEYS = 20_000;
/** Look-ups that may wait for the store at once: made-up keys must not crowd out the charges that share it. */
const MOST_ASKED = 256;

/**
 * Finds the id of a presented key. Which id a hash belongs to never changes, so it is kept; whether the key is still
 * live is decided with every call, in the store.
 */
export class Keyring {
  readonly #store: Pick<MeteringStore, "findKeyId">;
  readonly #ids = new Map<string, string>();
  readonly #asked = new Map<string, Promise<string | undefined>>();
  /** Revoked is for good. */
  readonly #revoked = new Set<string>();

  constructor(store: Pick<MeteringStore, "findKeyId">) {
    this.#store = store;
  }

  /**
   * The id at once, `undefined` for no key, or a promise where the store must be asked.
   * @throws {MeterOverloaded} (the promise) when too many look-ups wait
   */
  find(presented: string): string | undefined | Promise<string | undefined> {
    if (!looksLikeKey(presented)) return undefined;
    const hash = hashKey(presented);
    const known = this.#ids.get(hash) ?? this.#asked.get(hash);
    if (known !== undefined) return known;
    return isWellFormedKey(presented) ? this.#ask(hash) : undefined;
  }

  /** Tells that the store knows this key as revoked. */
  forget(keyId: string): void {
    if (this.#revoked.size >= MOST_KEYS) this.#revoked.clear();
    this.#revoked.add(keyId);
  }

  isRevoked(keyId: string): boolean {
    return this.#revoked.has(keyId);
  }

  #ask(hash: string): Promise<string | undefined> {
    if (this.#asked.size >= MOST_ASKED) return Promise.reject(new MeterOverloaded());
    const asked = this.#look(hash).finally(() => this.#asked.delete(hash));
    this.#asked.set(hash, asked);
    return asked;
  }

  async #look(hash: string): Promise<string | undefined> {
    const id = await this.#store.findKeyId(hash);
    if (id === undefined) return undefined;
    if (this.#ids.size >= MOST_KEYS) this.#ids.clear();
    this.#ids.set(hash, id);
    return id;
  }
}
