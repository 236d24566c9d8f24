import { ApiError } from "../../contract/errors.ts";
import type { CountsMemory } from "../../lib/sharedCounts.ts";
import { MinuteLimiter, newLimiterMemory } from "../minuteLimiter.ts";

/** Enough to try a name or two letter by letter, and no use to whoever wants the registry. */
export const PUBLIC_SEARCHES_PER_MINUTE = 20;
/** All visitors together: what nobody pays for may not take a thread from those who do. */
const OF_ALL_PER_MINUTE = 1_200;
const EVERYBODY = "everybody";

/** What the limits of public search on several threads share. */
export interface PublicSearchCounts {
  readonly each: CountsMemory;
  readonly all: CountsMemory;
}

export function newPublicSearchCounts(): PublicSearchCounts {
  return { each: newLimiterMemory(), all: newLimiterMemory(1) };
}

/** How often people without an account may search, on all threads whose counts are shared. */
export class PublicSearch {
  readonly #each: MinuteLimiter;
  readonly #all: MinuteLimiter;

  constructor(now: () => number, { each, all }: PublicSearchCounts = newPublicSearchCounts()) {
    this.#each = new MinuteLimiter(PUBLIC_SEARCHES_PER_MINUTE, now, each);
    this.#all = new MinuteLimiter(OF_ALL_PER_MINUTE, now, all);
  }

  /** Counts a search of a client. @throws {ApiError} when it is one too many */
  take(address: string): void {
    const retryAfterSeconds = this.#each.refuse(address) ?? this.#all.refuse(EVERYBODY);
    if (retryAfterSeconds === undefined) return;
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `${PUBLIC_SEARCHES_PER_MINUTE} searches a minute are free without an account; wait, or sign in`,
      { retryAfterSeconds },
    );
  }
}
