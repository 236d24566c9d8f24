import { boundedCache } from "../../lib/boundedCache.ts";

export interface SearchShareOptions {
  /** Searches per minute of one account. */
  readonly perMinute: number;
  /** Searches per second of all accounts together. */
  readonly perSecond: number;
  /** A monotonic clock, milliseconds. */
  readonly elapsed?: () => number;
}

/** More accounts than search within a minute. */
const MAX_ACCOUNTS = 10_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * Limits how often the live source is searched to complete results of the snapshot. Such a search is free, but counts
 * towards the source's rate limit, which all lookups share. One token bucket per account and one for all accounts, in
 * this process.
 */
export class SearchShare {
  readonly #perMinute: number;
  readonly #perSecond: number;
  readonly #elapsed: () => number;
  readonly #accounts = boundedCache<string, Bucket>(MAX_ACCOUNTS);
  #all: Bucket;

  constructor({ perMinute, perSecond, elapsed = () => performance.now() }: SearchShareOptions) {
    this.#perMinute = perMinute;
    this.#perSecond = perSecond;
    this.#elapsed = elapsed;
    this.#all = { left: perSecond, atMs: elapsed() };
  }

  /** Takes one search for an account; false when its bucket or the bucket of all accounts is empty. */
  take(accountId: string): boolean {
    const nowMs = this.#elapsed();
    const all = refilled(this.#all, this.#perSecond, SECOND_MS, nowMs);
    const known = this.#accounts.get(accountId) ?? { left: this.#perMinute, atMs: nowMs };
    const own = refilled(known, this.#perMinute, MINUTE_MS, nowMs);
    if (all.left < 1 || own.left < 1) return false;
    this.#all = { ...all, left: all.left - 1 };
    this.#accounts.set(accountId, { ...own, left: own.left - 1 });
    return true;
  }
}

interface Bucket {
  readonly left: number;
  /** When it had this level, by the clock. */
  readonly atMs: number;
}

function refilled({ left, atMs }: Bucket, size: number, withinMs: number, nowMs: number): Bucket {
  return { left: Math.min(size, left + ((nowMs - atMs) / withinMs) * size), atMs: nowMs };
}
