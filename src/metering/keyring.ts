import { hashKey, isWellFormedKey, looksLikeKey } from "../contract/keyForm.ts";
import { boundedCache } from "../lib/boundedCache.ts";
import { MeterOverloaded } from "./meter.ts";
import type { FoundKey, MeteringStore } from "./store.ts";

/** Cached keys, 270 bytes each: 27 MB. */
const MAX_KEYS = 100_000;
/** Remembered revoked and expired keys, 150 bytes each: 3 MB. */
const MAX_REFUSED = 20_000;
/** How long an expired key is refused without asking the store, because its owner may change the expiry. */
const EXPIRED_FOR_MS = 2_000;
/**
 * Hashes in one lookup. Only one lookup runs at the store at a time, so a flood of made-up keys takes one place among
 * the charges, for less than a millisecond.
 */
const MAX_HASHES_PER_LOOKUP = 256;
/** Hashes that may wait, 400 bytes each; further calls are refused. As many as requests of the meter. */
const MAX_WAITING = 10_000;

interface Lookup extends PromiseWithResolvers<FoundKey | undefined> {
  readonly hash: string;
}

/**
 * Finds the id and kind of a presented key. They never change for a hash, so they are cached; the store decides with
 * every call whether the key is still live. Unknown hashes are collected while others are looked up.
 */
export class Keyring {
  readonly #store: Pick<MeteringStore, "findKeys">;
  readonly #keys = boundedCache<string, FoundKey>(MAX_KEYS);
  /** Until when a key is refused without asking the store; forever for a revoked one. */
  readonly #refusedUntilMs = boundedCache<string, number>(MAX_REFUSED);
  readonly #now: () => number;
  /** Lookups that wait or are running, one per hash (single flight). */
  readonly #lookups = new Map<string, Lookup>();
  #waiting: Lookup[] = [];
  #isLooking = false;

  constructor(store: Pick<MeteringStore, "findKeys">, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Returns a cached key, `undefined` if the text is not a key, or a promise if the store must be asked.
   * @throws {MeterOverloaded} (the promise) if too many lookups wait
   */
  find(presented: string): FoundKey | undefined | Promise<FoundKey | undefined> {
    if (!looksLikeKey(presented)) return undefined;
    const hash = hashKey(presented);
    const cached = this.#keys.get(hash) ?? this.#lookups.get(hash)?.promise;
    if (cached !== undefined) return cached;
    return isWellFormedKey(presented) ? this.#lookUp(hash) : undefined;
  }

  /** Records that these keys are revoked in the store. */
  recordRevoked(...keyIds: readonly string[]): void {
    for (const keyId of keyIds) this.#refusedUntilMs.set(keyId, Number.POSITIVE_INFINITY);
  }

  /** Records that a key has expired, as decided by the store. */
  recordExpired(keyId: string): void {
    this.#refusedUntilMs.set(keyId, this.#now() + EXPIRED_FOR_MS);
  }

  /** Records that a key was changed, so that its next call asks the store. */
  recordChanged(keyId: string): void {
    this.#refusedUntilMs.delete(keyId);
  }

  /** Whether a key is refused without asking the store: it is revoked, or expired a moment ago. */
  isRefused(keyId: string): boolean {
    return this.#now() < (this.#refusedUntilMs.get(keyId) ?? 0);
  }

  #lookUp(hash: string): Promise<FoundKey | undefined> {
    if (this.#lookups.size >= MAX_WAITING) return Promise.reject(new MeterOverloaded());
    const lookUp: Lookup = { hash, ...Promise.withResolvers() };
    this.#lookups.set(hash, lookUp);
    this.#waiting.push(lookUp);
    // After the I/O of this turn of the event loop, so that all keys of the turn share a lookup.
    if (!this.#isLooking) setImmediate(() => void this.#lookUpPending());
    this.#isLooking = true;
    return lookUp.promise;
  }

  /** Looks up all waiting hashes in groups. Never rejects; each lookup gets its own error. */
  async #lookUpPending(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lookups = this.#waiting.slice(0, MAX_HASHES_PER_LOOKUP);
      this.#waiting = this.#waiting.slice(lookups.length);
      try {
        const keys = await this.#store.findKeys(lookups.map(({ hash }) => hash));
        for (const [index, lookUp] of lookups.entries()) this.#found(lookUp, keys[index] ?? undefined);
      } catch (error) {
        for (const { hash, reject } of lookups) {
          this.#lookups.delete(hash);
          reject(error);
        }
      }
    }
    this.#isLooking = false;
  }

  #found({ hash, resolve }: Lookup, key: FoundKey | undefined): void {
    this.#lookups.delete(hash);
    if (key !== undefined) this.#keys.set(hash, key);
    resolve(key);
  }
}
