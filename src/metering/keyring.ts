import { LRUCache } from "lru-cache";
import { hashKey, isWellFormedKey, looksLikeKey } from "../contract/keyForm.ts";
import { MeterOverloaded } from "./meter.ts";
import type { FoundKey, MeteringStore } from "./store.ts";

/** Keys that are known without asking, at 270 bytes each: 27 MB when so many are in use. */
const MAX_KEYS = 100_000;
/** Revoked and expired keys that somebody still calls with, at 150 bytes each: 3 MB. */
const MAX_REFUSED = 20_000;
/** A key that had expired is believed to be so for so long: then the store is asked again, as its expiry may be moved. */
const EXPIRED_FOR_MS = 2_000;
/**
 * Hashes in one look-up, of which one is at the store at a time: made-up keys, however many, take one place beside the
 * charges that share the store, and for less than a millisecond.
 */
const MAX_IN_A_LOOK_UP = 256;
/** Hashes that may wait, at 400 bytes each: as many as requests of the meter. Beyond it a call is refused instead of queued. */
const MAX_WAITING = 10_000;

interface LookUp extends PromiseWithResolvers<FoundKey | undefined> {
  readonly hash: string;
}

/**
 * Finds the id and kind of a presented key. Which key a hash belongs to never changes, nor its kind, so it is kept; whether the key is still
 * live is decided with every call, in the store. Hashes that are not known gather while others are looked up.
 */
export class Keyring {
  readonly #store: Pick<MeteringStore, "findKeys">;
  readonly #keys = new LRUCache<string, FoundKey>({ max: MAX_KEYS });
  /** Until when a key is refused without asking: a revoked one for good. */
  readonly #refusedUntilMs = new LRUCache<string, number>({ max: MAX_REFUSED });
  readonly #now: () => number;
  /** What waits or is looked up: one look-up for each hash, however many present it (single flight). */
  readonly #lookUps = new Map<string, LookUp>();
  #waiting: LookUp[] = [];
  #isLooking = false;

  constructor(store: Pick<MeteringStore, "findKeys">, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * The key at once, `undefined` for no key, or a promise where the store must be asked.
   * @throws {MeterOverloaded} (the promise) when too many look-ups wait
   */
  find(presented: string): FoundKey | undefined | Promise<FoundKey | undefined> {
    if (!looksLikeKey(presented)) return undefined;
    const hash = hashKey(presented);
    const known = this.#keys.get(hash) ?? this.#lookUps.get(hash)?.promise;
    if (known !== undefined) return known;
    return isWellFormedKey(presented) ? this.#ask(hash) : undefined;
  }

  /** Notes that the store knows these keys as revoked. */
  forget(...keyIds: readonly string[]): void {
    for (const keyId of keyIds) this.#refusedUntilMs.set(keyId, Number.POSITIVE_INFINITY);
  }

  /** Notes that a key has expired by the store's clock. */
  noteExpired(keyId: string): void {
    this.#refusedUntilMs.set(keyId, this.#now() + EXPIRED_FOR_MS);
  }

  /** Notes that a key was changed here: the store is asked about it with its next call. */
  changed(keyId: string): void {
    this.#refusedUntilMs.delete(keyId);
  }

  /** Whether a key is refused without asking the store: it is revoked, or had expired a moment ago. */
  isRefused(keyId: string): boolean {
    return this.#now() < (this.#refusedUntilMs.get(keyId) ?? 0);
  }

  #ask(hash: string): Promise<FoundKey | undefined> {
    if (this.#lookUps.size >= MAX_WAITING) return Promise.reject(new MeterOverloaded());
    const lookUp: LookUp = { hash, ...Promise.withResolvers() };
    this.#lookUps.set(hash, lookUp);
    this.#waiting.push(lookUp);
    // After the I/O of this turn of the event loop: all who came with it share a look-up.
    if (!this.#isLooking) setImmediate(() => void this.#lookUpAll());
    this.#isLooking = true;
    return lookUp.promise;
  }

  /** Looks up all that wait, some at a time. Never rejects: what the store fails with is told to those it fails. */
  async #lookUpAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lookUps = this.#waiting.slice(0, MAX_IN_A_LOOK_UP);
      this.#waiting = this.#waiting.slice(lookUps.length);
      try {
        const keys = await this.#store.findKeys(lookUps.map(({ hash }) => hash));
        for (const [index, lookUp] of lookUps.entries()) this.#found(lookUp, keys[index] ?? undefined);
      } catch (error) {
        for (const { hash, reject } of lookUps) {
          this.#lookUps.delete(hash);
          reject(error);
        }
      }
    }
    this.#isLooking = false;
  }

  #found({ hash, resolve }: LookUp, key: FoundKey | undefined): void {
    this.#lookUps.delete(hash);
    if (key !== undefined) this.#keys.set(hash, key);
    resolve(key);
  }
}
