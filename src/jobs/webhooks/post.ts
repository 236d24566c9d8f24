/** Delivers one message over HTTP, to an address that it may go to and nowhere else. */
import type { LookupFunction } from "node:net";
import { addressIn, mayBeSentTo } from "./addresses.ts";
import { type ResolveOptions, resolveName } from "./resolve.ts";

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;

/** What became of a delivery: taken by a 2xx, or why not, in words without an address. */
export type Delivery = { readonly isTaken: true } | { readonly isTaken: false; readonly reason: string };

/** The address that a name stands for may not be reached. */
class AddressRefused extends Error {
  constructor() {
    super("the address is of a private network");
  }
}

export interface MessagePost {
  deliver(url: string, headers: Record<string, string>, payload: string): Promise<Delivery>;
  close(): Promise<void>;
}

/**
 * Connects to allowed addresses only: a name is resolved once for each delivery, and the connection is made to the addresses that were checked, so
 * that the name cannot stand for another one by then (DNS rebinding). Redirects are not followed.
 * @param allowed private networks that the operator allows
 */
export function openMessagePost(allowed: readonly string[], resolving: ResolveOptions = {}): MessagePost {
  const closing = new AbortController();

  /** @throws whatever resolving fails with, {@link AddressRefused} */
  async function allowedAddresses(url: URL, signal: AbortSignal): Promise<readonly string[]> {
    const address = addressIn(url);
    const all = address === undefined ? await resolveName(url.hostname, signal, resolving) : [address];
    const may = all.filter((one) => mayBeSentTo(one, allowed));
    if (may.length === 0) throw new AddressRefused();
    return may;
  }

  return {
    async deliver(url, headers, payload) {
      const signal = AbortSignal.any([
        closing.signal,
        AbortSignal.timeout(CONNECT_WITHIN_MS + ANSWER_WITHIN_MS),
      ]);
      try {
        const addresses = await allowedAddresses(new URL(url), signal);
        // Loaded by the first message: the library is a twentieth of what a start would load.
        const { Client, request } = await import("undici");
        // A connection of its own: no other message goes over it.
        const client = new Client(new URL(url).origin, {
          connect: { timeout: CONNECT_WITHIN_MS, lookup: lookUpIn(addresses) },
          headersTimeout: ANSWER_WITHIN_MS,
        });
        try {
          const { statusCode, body } = await request(url, {
            dispatcher: client,
            method: "POST",
            headers: { ...headers, "user-agent": "Opzoek-Webhook/1" },
            body: payload,
            signal,
          });
          // The body of the response is not needed, and may be endless.
          body.on("error", () => {}).destroy();
          const isTaken = statusCode >= 200 && statusCode < 300;
          return isTaken ? { isTaken } : { isTaken, reason: `it answered ${statusCode}` };
        } finally {
          await client.destroy();
        }
      } catch (error) {
        return { isTaken: false, reason: reasonOf(error) };
      }
    },
    close: async () => closing.abort(),
  };
}

/** Has a connection made to these addresses, one after the other until one is reached. */
function lookUpIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof Error && "code" in error) return String(error.code);
  return "it cannot be reached";
}
