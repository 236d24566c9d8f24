/** Delivers one message over HTTP, to where it may go and nowhere else. */
import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent, request } from "undici";
import { OpenedOnUse } from "../../lib/openedOnUse.ts";
import { addressIn, mayBeSentTo } from "./addresses.ts";

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;

/** What became of a delivery: taken by a 2xx, or why not, in words without an address. */
export type Delivery = { readonly isTaken: true } | { readonly isTaken: false; readonly reason: string };

/** Tells all addresses that a name stands for. */
type LookUp = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

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

interface Client {
  readonly agent: Agent;
  readonly request: typeof request;
}

/** The library is loaded by the first message: it is a twentieth of what a start would load. */
async function openClient(allowed: readonly string[], lookUp: LookUp): Promise<Client> {
  const undici = await import("undici");
  const connect = undici.buildConnector({
    timeout: CONNECT_WITHIN_MS,
    lookup: lookUpAllowed(allowed, lookUp),
  });
  const agent = new undici.Agent({
    connect(options, callback) {
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error !== null) return callback(error, null);
        if (mayBeSentTo(socket.remoteAddress ?? "", allowed)) return callback(null, socket);
        socket.destroy();
        callback(new AddressRefused(), null);
      });
    },
    // Nobody else's message goes over a connection of before.
    pipelining: 0,
    keepAliveTimeout: 1,
    keepAliveMaxTimeout: 1,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
    maxResponseSize: 65_536,
  });
  return { agent, request: undici.request };
}

/**
 * A way out that connects to allowed addresses only: what a name stands for is looked at where the connection is made, so that it cannot be
 * another one by then (DNS rebinding), and the address that it ended at once more. Redirects are not followed.
 * @param allowed private networks that the operator allows
 * @param lookUp the system's own unless given
 */
export function openMessagePost(allowed: readonly string[], lookUp: LookUp = lookup): MessagePost {
  const client = new OpenedOnUse(
    () => openClient(allowed, lookUp),
    ({ agent }) => agent.destroy(),
  );
  return {
    async deliver(url, headers, payload) {
      const address = addressIn(new URL(url));
      if (address !== undefined && !mayBeSentTo(address, allowed)) {
        return { isTaken: false, reason: new AddressRefused().message };
      }
      try {
        const { agent, request } = await client.get();
        const { statusCode, body } = await request(url, {
          dispatcher: agent,
          method: "POST",
          headers: { ...headers, "user-agent": "Opzoek-Webhook/1" },
          body: payload,
          signal: AbortSignal.timeout(CONNECT_WITHIN_MS + ANSWER_WITHIN_MS),
        });
        // What it says is of no interest, and may be endless.
        body.on("error", () => {}).destroy();
        const isTaken = statusCode >= 200 && statusCode < 300;
        return isTaken ? { isTaken } : { isTaken, reason: `it answered ${statusCode}` };
      } catch (error) {
        return { isTaken: false, reason: reasonOf(error) };
      }
    },
    close: () => client.close(),
  };
}

/** Looks a name up, and gives those of its addresses that may be connected to. */
function lookUpAllowed(allowed: readonly string[], lookUp: LookUp): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 0);
      const [first, ...more] = found.filter(({ address }) => mayBeSentTo(address, allowed));
      if (first === undefined) return callback(new AddressRefused(), "", 0);
      if (options.all === true) callback(null, [first, ...more]);
      else callback(null, first.address, first.family);
    });
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  if (error instanceof Error && "code" in error) return String(error.code);
  return "it cannot be reached";
}
