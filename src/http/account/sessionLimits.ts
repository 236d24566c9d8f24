import type { Session } from "../../accounts/peopleStore.ts";
import { ApiError } from "../../contract/errors.ts";
import { MinuteLimiter } from "../minuteLimiter.ts";

/** What a session may ask in a clock minute, and how often its account may have a password hashed. */
export const SESSION_LIMITS = { requests: 120, hashing: 20 } as const;

/** Limits of sessions, so that one person keeps the state and the hashing of passwords from nobody else; counted by each process. */
export class SessionLimits {
  readonly #requests: MinuteLimiter;
  readonly #hashing: MinuteLimiter;

  constructor(now: () => number) {
    this.#requests = new MinuteLimiter(SESSION_LIMITS.requests, now);
    this.#hashing = new MinuteLimiter(SESSION_LIMITS.hashing, now);
  }

  /** Counts a request of a session at once; the refusal when it is one too many. */
  refuse({ id, accountId }: Pick<Session, "id" | "accountId">, isHashing: boolean): ApiError | undefined {
    // By the account: a changed password opens a new session each time.
    const waitSeconds =
      this.#requests.refuse(id) ?? (isHashing ? this.#hashing.refuse(accountId) : undefined);
    if (waitSeconds === undefined) return undefined;
    return new ApiError("RATE_LIMIT_EXCEEDED", `too many requests of this session; wait ${waitSeconds} s`, {
      retryAfterSeconds: waitSeconds,
    });
  }
}
