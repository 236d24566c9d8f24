import type { Session } from "../../accounts/people.ts";
import { hashToken } from "../../accounts/secrets.ts";
import { type ApiError, retryLater } from "../../contract/errors.ts";
import { boundedCache } from "../../lib/boundedCache.ts";
import { MinuteLimiter } from "../../lib/minuteLimiter.ts";

/** Requests of a session per minute, and password hashes of its account per minute. */
export const SESSION_LIMITS = { requests: 120, hashing: 20 } as const;

const MAX_KNOWN = 20_000;

type Counted = Pick<Session, "id" | "accountId">;

/** Limits sessions in this process, so that one person cannot use up the state or password hashing. */
export class SessionLimits {
  readonly #requests: MinuteLimiter;
  readonly #hashing: MinuteLimiter;
  /** By the hash of the token, so that limits apply before the state is read. */
  readonly #known = boundedCache<string, Counted>(MAX_KNOWN);

  constructor(now: () => number) {
    this.#requests = new MinuteLimiter(SESSION_LIMITS.requests, now);
    this.#hashing = new MinuteLimiter(SESSION_LIMITS.hashing, now);
  }

  /** Returns the session of a cookie as last read; it may have ended since. */
  known(token: string): Counted | undefined {
    return this.#known.get(hashToken(token));
  }

  know(token: string, { id, accountId }: Counted): void {
    this.#known.set(hashToken(token), { id, accountId });
  }

  /** Forgets a cookie whose session has ended. */
  forget(token: string): void {
    this.#known.delete(hashToken(token));
  }

  /** Counts a request of a session. @returns an error when it exceeds the limit */
  refuse({ id, accountId }: Counted, isHashing: boolean): ApiError | undefined {
    // By account, because each change of password opens a new session.
    const waitSeconds =
      this.#requests.refuse(id) ?? (isHashing ? this.#hashing.refuse(accountId) : undefined);
    if (waitSeconds === undefined) return undefined;
    return retryLater(
      "RATE_LIMIT_EXCEEDED",
      waitSeconds,
      `too many requests in this session; wait ${waitSeconds} s`,
    );
  }
}

/** Enough to type a name or two, too few to copy the registry. */
const PUBLIC_SEARCHES_PER_MINUTE = 20;
/** Of all visitors together, so that free searches do not slow down paying callers. */
const OF_ALL_PER_MINUTE = 1_200;
const EVERYBODY = "everybody";

/** Limits searches without an account in this process. */
export class PublicSearch {
  readonly #each: MinuteLimiter;
  readonly #all: MinuteLimiter;

  constructor(now: () => number) {
    this.#each = new MinuteLimiter(PUBLIC_SEARCHES_PER_MINUTE, now);
    this.#all = new MinuteLimiter(OF_ALL_PER_MINUTE, now);
  }

  /** Counts a search of a client. @throws {ApiError} when it exceeds the limit */
  take(address: string): void {
    const retryAfterSeconds = this.#each.refuse(address) ?? this.#all.refuse(EVERYBODY);
    if (retryAfterSeconds === undefined) return;
    throw retryLater(
      "RATE_LIMIT_EXCEEDED",
      retryAfterSeconds,
      `${PUBLIC_SEARCHES_PER_MINUTE} searches a minute are free without an account; wait, or sign in`,
    );
  }
}
