import { randomBytes } from "node:crypto";
import type { FoundKey } from "../metering/store.ts";

const PREFIX = "ticket_";
const TICKET_BYTES = 32;

/**
 * Tickets let this process make one call of the API in the name of a key, of which it knows the id only. A ticket is
 * never sent to anybody, works once, and is gone with the call.
 */
export class Tickets {
  readonly #keys = new Map<string, FoundKey>();

  /** Has `use` make one call with a ticket for a key. */
  async with<T>(keyId: string, use: (ticket: string) => Promise<T>): Promise<T> {
    const ticket = PREFIX + randomBytes(TICKET_BYTES).toString("base64url");
    this.#keys.set(ticket, { id: keyId, kind: "live" });
    try {
      return await use(ticket);
    } finally {
      this.#keys.delete(ticket);
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
