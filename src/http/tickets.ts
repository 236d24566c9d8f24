import { randomBytes } from "node:crypto";
import { ApiError } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { Places } from "../lib/places.ts";
import type { FoundKey } from "../metering/store.ts";

const PREFIX = "ticket_";
const TICKET_BYTES = 32;

/**
 * Tickets let this thread make one call of the API in the name of a key, of which it knows the id only, and few at once for each key. A ticket is
 * never sent to anybody, works once, and is gone with the call.
 */
export class Tickets {
  readonly #keys = new Map<string, FoundKey>();
  readonly #places = new Places(POOLS.pageCalls);

  /** Has `use` make one call with a ticket for a key. @throws {ApiError} (the promise) when too many of it are under way */
  async with<T>(keyId: string, use: (ticket: string) => Promise<T>, isFree = false): Promise<T> {
    const giveBack = this.#places.take({ account: keyId, isFree });
    if (giveBack === undefined) {
      throw new ApiError(
        "RATE_LIMIT_EXCEEDED",
        "as many calls of this page are under way as may be at once; wait until one is answered, then repeat this one; nothing was charged",
        { retryAfterSeconds: 1 },
      );
    }
    const ticket = PREFIX + randomBytes(TICKET_BYTES).toString("base64url");
    this.#keys.set(ticket, { id: keyId, kind: "live" });
    try {
      return await use(ticket);
    } finally {
      this.#keys.delete(ticket);
      giveBack();
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
