import { LRUCache } from "lru-cache";

export interface SearchShareOptions {
  /** Searches a minute that one account may cause. */
  readonly perMinute: number;
  /** Searches a second of all accounts together. */
  readonly perSecond: number;
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number;
}

/** More accounts than search within a minute. */
const MAX_ACCOUNTS = 10_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * How often the live source is searched for an account, where the snapshot has too little: such a search costs no money, but
 * the source allows so many calls a second, which all lookups share. One token bucket for each account and one for all, in
 * this process; both are full at first and refilled evenly.
 */
export class SearchShare {
  readonly #perMinute: number;
  readonly #perSecond: number;
  readonly #elapsed: () => number;
  readonly #accounts = new LRUCache<string, Bucket>({ max: MAX_ACCOUNTS });
  #all: Bucket;

  constructor({ perMinute, perSecond, elapsed = () => performance.now() }: SearchShareOptions) {
    this.#perMinute = perMinute;
    this.#perSecond = perSecond;
    this.#elapsed = elapsed;
    this.#all = { left: perSecond, atMs: elapsed() };
  }

  /** Takes one search for an account; false when its share, or that of all, is used up for now. */
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
  /** When it held so many, by the clock. */
  readonly atMs: number;
}

function refilled({ left, atMs }: Bucket, size: number, withinMs: number, nowMs: number): Bucket {
  return { left: Math.min(size, left + ((nowMs - atMs) / withinMs) * size), atMs: nowMs };
}
