import { randomBytes } from "node:crypto";

const PREFIX = "ticket_";
const TICKET_BYTES = 32;

/**
 * Tickets let this process make one call of the API in the name of a key, of which it knows the id only. A ticket is
 * never sent to anybody, works once, and is gone with the call.
 */
export class Tickets {
  readonly #keyIds = new Map<string, string>();

  /** Has `use` make one call with a ticket for a key. */
  async with<T>(keyId: string, use: (ticket: string) => Promise<T>): Promise<T> {
    const ticket = PREFIX + randomBytes(TICKET_BYTES).toString("base64url");
    this.#keyIds.set(ticket, keyId);
    try {
      return await use(ticket);
    } finally {
      this.#keyIds.delete(ticket);
    }
  }

  /** The key of a ticket, which is used up. */
  take(presented: string): string | undefined {
    if (this.#keyIds.size === 0) return undefined;
    const keyId = this.#keyIds.get(presented);
    this.#keyIds.delete(presented);
    return keyId;
  }
}
