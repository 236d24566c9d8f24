import { randomBytes } from "node:crypto";
import { retryLater } from "../contract/errors.ts";
import { POOLS } from "../contract/pools.ts";
import { SlotPool } from "../lib/slotPool.ts";
import type { FoundKey } from "./store.ts";

const PREFIX = "ticket_";
const TICKET_BYTES = 32;

/**
 * Tickets let this process make API calls for a key of which it only knows the id, a few at once per key. A ticket
 * never leaves the process, works once, and ends with its call.
 */
export class Tickets {
  readonly #keys = new Map<string, FoundKey>();
  readonly #slots = new SlotPool(POOLS.pageCalls);

  /**
   * Calls `use` with a ticket for one call with a key.
   * @throws {ApiError} (the promise) when too many are in progress
   */
  async with<T>(keyId: string, use: (ticket: string) => Promise<T>, isFree = false): Promise<T> {
    const release = this.#slots.acquire({ account: keyId, isFree });
    if (release === undefined) {
      throw retryLater(
        "RATE_LIMIT_EXCEEDED",
        1,
        "too many calls from this page are in progress; wait for one to finish, then try again; nothing was charged",
      );
    }
    const ticket = PREFIX + randomBytes(TICKET_BYTES).toString("base64url");
    this.#keys.set(ticket, { id: keyId, kind: "live" });
    try {
      return await use(ticket);
    } finally {
      this.#keys.delete(ticket);
      release();
    }
  }

  /** Uses up a ticket and returns its key. */
  take(presented: string): FoundKey | undefined {
    if (this.#keys.size === 0) return undefined;
    const key = this.#keys.get(presented);
    this.#keys.delete(presented);
    return key;
  }
}
