/** Delivers one message over HTTP, only to an allowed address. */
import { promises as dns } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP, type LookupFunction } from "node:net";
import { retryAfterSeconds } from "../lib/retryAfter.ts";
import { addressIn, mayBeSentTo } from "./addresses.ts";

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 20_000;
const RESOLVE_WITHIN_MS = 2_000;
/** Read here, because DNS queries do not read it. */
const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
/** At most this many addresses of a name are checked and tried: a DNS server may return thousands. */
const MAX_ADDRESSES = 16;
/** Answers of a receiver that accepts no message for now (Standard Webhooks, and gateways before it). */
const BUSY = [429, 502, 503, 504];

/** The result of a delivery: accepted with a 2xx, or the reason, without the address. */
export type DeliveryResult = { readonly isAccepted: true } | RefusedDelivery;

export interface RefusedDelivery {
  readonly isAccepted: false;
  readonly reason: string;
  /** `gone`: the address wants no further message. `busy`: it wants none for now. */
  readonly answer?: "gone" | "busy";
  /** The `Retry-After` of a busy receiver. */
  readonly askAgainAfterMs?: number;
}

export interface ResolveOptions {
  /** DNS servers, as `Resolver.setServers` takes them; the system's by default. */
  readonly nameServers?: readonly string[] | undefined;
  readonly hostsFile?: string;
}

export interface MessagePost {
  deliver(url: string, headers: Record<string, string>, payload: string): Promise<DeliveryResult>;
  close(): Promise<void>;
}

/**
 * Connects to allowed addresses only. A name is resolved once per delivery and the connection uses the checked
 * addresses, which prevents DNS rebinding. Redirects are not followed.
 * @param allowed private networks that the operator allows
 */
export function openMessagePost(allowed: readonly string[], resolving: ResolveOptions = {}): MessagePost {
  const closing = new AbortController();
  return {
    async deliver(url, headers, payload) {
      const signal = AbortSignal.any([
        closing.signal,
        AbortSignal.timeout(CONNECT_WITHIN_MS + ANSWER_WITHIN_MS),
      ]);
      try {
        const { hostname, origin } = new URL(url);
        const address = addressIn(new URL(url));
        const all = address === undefined ? await resolveName(hostname, signal, resolving) : [address];
        const addresses = all.filter((address) => mayBeSentTo(address, allowed));
        if (addresses.length === 0) return { isAccepted: false, reason: "the address is not public" };
        // Loaded with the first message, because most services send none.
        const { Client, request } = await import("undici");
        // A connection per message, because each has its own checked addresses.
        const client = new Client(origin, {
          connect: { timeout: CONNECT_WITHIN_MS, lookup: lookUpIn(addresses) },
          headersTimeout: ANSWER_WITHIN_MS,
        });
        try {
          const {
            statusCode,
            headers: answered,
            body,
          } = await request(url, {
            dispatcher: client,
            method: "POST",
            headers: { ...headers, "user-agent": "Opzoek-Webhook/1" },
            body: payload,
            signal,
          });
          // The body is not needed and may be endless.
          body.on("error", () => {}).destroy();
          if (statusCode >= 200 && statusCode < 300) return { isAccepted: true };
          const refused = { isAccepted: false, reason: `it answered ${statusCode}` } as const;
          if (statusCode === 410) return { ...refused, answer: "gone" };
          if (!BUSY.includes(statusCode)) return refused;
          const seconds = retryAfterSeconds({ headers: answered });
          return { ...refused, answer: "busy", ...(seconds && { askAgainAfterMs: seconds * 1_000 }) };
        } finally {
          await client.destroy();
        }
      } catch (error) {
        return { isAccepted: false, reason: reasonOf(error) };
      }
    },
    close: async () => closing.abort(),
  };
}

/** Returns a lookup function that yields these addresses; they are tried in order. */
function lookUpIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return "it cannot be reached";
}

/**
 * Returns the addresses of a name, IPv4 first: from the hosts file, otherwise from DNS with one query. Search domains
 * do not apply. c-ares resolves these names, because callers choose them: `dns.lookup` blocks one of libuv's four
 * threads and cannot be cancelled, so names that never resolve would stop file access and the service's own
 * connections.
 * @throws {NodeJS.ErrnoException} (the promise) if there are none
 */
async function resolveName(
  name: string,
  signal: AbortSignal,
  { nameServers, hostsFile = HOSTS_FILE }: ResolveOptions = {},
): Promise<readonly string[]> {
  const local = await inHostsFile(name, hostsFile);
  if (local.length > 0) return local;
  signal.throwIfAborted();
  const resolver = new dns.Resolver({ timeout: RESOLVE_WITHIN_MS, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((answer) =>
      answer.status === "fulfilled" ? answer.value.slice(0, MAX_ADDRESSES / 2) : [],
    );
    if (found.length === 0 && v4.status === "rejected") throw v4.reason;
    return found;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

async function inHostsFile(name: string, path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, "utf8").catch(() => "")).split("\n");
  return lines
    .map((line) => line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/))
    .filter(([address = "", ...names]) => isIP(address) !== 0 && names.includes(name.toLowerCase()))
    .map(([address = ""]) => address)
    .slice(0, MAX_ADDRESSES);
}
