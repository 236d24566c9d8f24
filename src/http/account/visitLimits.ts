import { LRUCache } from "lru-cache";
import type { Session } from "../../accounts/peopleStore.ts";
import { hashToken } from "../../accounts/secrets.ts";
import { ApiError } from "../../contract/errors.ts";
import { MinuteLimiter } from "../minuteLimiter.ts";

/** What a session may ask in a clock minute, and how often its account may have a password hashed. */
export const SESSION_LIMITS = { requests: 120, hashing: 20 } as const;

const MAX_KNOWN = 20_000;

type Counted = Pick<Session, "id" | "accountId">;

/** Limits of sessions in this process, so that one person cannot take the state or the hashing of passwords from everybody else. */
export class SessionLimits {
  readonly #requests: MinuteLimiter;
  readonly #hashing: MinuteLimiter;
  /** By the hash of their token, so that a limit is asked before the state is. */
  readonly #known = new LRUCache<string, Counted>({ max: MAX_KNOWN });

  constructor(now: () => number) {
    this.#requests = new MinuteLimiter(SESSION_LIMITS.requests, now);
    this.#hashing = new MinuteLimiter(SESSION_LIMITS.hashing, now);
  }

  /** Whose session a cookie was when it was last looked up; it may have ended since. */
  known(token: string): Counted | undefined {
    return this.#known.get(hashToken(token));
  }

  know(token: string, { id, accountId }: Counted): void {
    this.#known.set(hashToken(token), { id, accountId });
  }

  /** A cookie that has ended is a stranger's from now on. */
  forget(token: string): void {
    this.#known.delete(hashToken(token));
  }

  /** Counts a request of a session at once; the refusal when it is one too many. */
  refuse({ id, accountId }: Counted, isHashing: boolean): ApiError | undefined {
    // By the account: a changed password opens a new session each time.
    const waitSeconds =
      this.#requests.refuse(id) ?? (isHashing ? this.#hashing.refuse(accountId) : undefined);
    if (waitSeconds === undefined) return undefined;
    return new ApiError("RATE_LIMIT_EXCEEDED", `too many requests of this session; wait ${waitSeconds} s`, {
      retryAfterSeconds: waitSeconds,
    });
  }
}

/** Enough to try a name or two letter by letter, too few to copy the registry. */
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
