import { hashKey, isWellFormedKey } from "../contract/keyForm.ts";
import type { MeteringStore } from "./store.ts";

const MOST_KEYS = 20_000;

/**
 * Finds the id of a presented key. Which id a hash belongs to never changes, so it is kept; whether the key is still
 * live is decided with every call, in the store.
 */
export class Keyring {
  readonly #store: Pick<MeteringStore, "findKeyId">;
  readonly #ids = new Map<string, string>();
  /** Revoked is for good. */
  readonly #revoked = new Set<string>();

  constructor(store: Pick<MeteringStore, "findKeyId">) {
    this.#store = store;
  }

  /** The id at once, `undefined` for no key, or a promise where the store must be asked. */
  find(presented: string): string | undefined | Promise<string | undefined> {
    if (!isWellFormedKey(presented)) return undefined;
    const hash = hashKey(presented);
    return this.#ids.get(hash) ?? this.#ask(hash);
  }

  /** Tells that the store knows this key as revoked. */
  forget(keyId: string): void {
    if (this.#revoked.size >= MOST_KEYS) this.#revoked.clear();
    this.#revoked.add(keyId);
  }

  isRevoked(keyId: string): boolean {
    return this.#revoked.has(keyId);
  }

  async #ask(hash: string): Promise<string | undefined> {
    const id = await this.#store.findKeyId(hash);
    if (id === undefined) return undefined;
    if (this.#ids.size >= MOST_KEYS) this.#ids.clear();
    this.#ids.set(hash, id);
    return id;
  }
}
