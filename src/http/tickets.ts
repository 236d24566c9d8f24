import { randomBytes } from "node:crypto";
import { ApiError } from "../contract/errors.ts";
import type { FoundKey } from "../metering/store.ts";

const PREFIX = "ticket_";
const TICKET_BYTES = 32;
/** Calls of one key that are under way; more would hold their answers in the process side by side. */
const MOST_AT_ONCE = 4;

/**
 * Tickets let this thread make one call of the API in the name of a key, of which it knows the id only, and few at once for each key. A ticket is
 * never sent to anybody, works once, and is gone with the call.
 */
export class Tickets {
  readonly #keys = new Map<string, FoundKey>();
  readonly #underWay = new Map<string, number>();
  readonly #mostAtOnce: number;

  /** @param threads of the process that make such calls; each may make its part of those at once, one at least */
  constructor(threads = 1) {
    this.#mostAtOnce = Math.max(1, Math.floor(MOST_AT_ONCE / threads));
  }

  /** Has `use` make one call with a ticket for a key. @throws {ApiError} (the promise) when too many of it are under way */
  async with<T>(keyId: string, use: (ticket: string) => Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(keyId) ?? 0;
    if (underWay >= this.#mostAtOnce) {
      throw new ApiError(
        "RATE_LIMIT_EXCEEDED",
        `as many calls of this account are under way here as may be at once (${this.#mostAtOnce}); wait for one of them to be answered, then repeat this one; nothing was charged`,
        { retryAfterSeconds: 1 },
      );
    }
    this.#underWay.set(keyId, underWay + 1);
    const ticket = PREFIX + randomBytes(TICKET_BYTES).toString("base64url");
    this.#keys.set(ticket, { id: keyId, kind: "live" });
    try {
      return await use(ticket);
    } finally {
      this.#keys.delete(ticket);
      const left = (this.#underWay.get(keyId) ?? 1) - 1;
      if (left > 0) this.#underWay.set(keyId, left);
      else this.#underWay.delete(keyId);
    }
  }

  /** The key of a ticket, which is used up. */
  take(presented: string): FoundKey | undefined {
    if (this.#keys.size === 0) return undefined;
    const key = this.#keys.get(presented);
    this.#keys.delete(presented);
    return key;
  }
}
