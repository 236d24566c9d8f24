import { ApiError } from "../../contract/errors.ts";
import { MinuteLimiter } from "../minuteLimiter.ts";

/** Enough to try a name or two letter by letter, and no use to whoever wants the registry. */
export const PUBLIC_SEARCHES_PER_MINUTE = 20;
/** All visitors together: what nobody pays for may not take a thread from those who do. */
const OF_ALL_PER_MINUTE = 1_200;
const EVERYBODY = "everybody";

/** How often people without an account may search, in this process. */
export class PublicSearch {
  readonly #each: MinuteLimiter;
  readonly #all: MinuteLimiter;

  constructor(now: () => number) {
    this.#each = new MinuteLimiter(PUBLIC_SEARCHES_PER_MINUTE, now);
    this.#all = new MinuteLimiter(OF_ALL_PER_MINUTE, now);
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
