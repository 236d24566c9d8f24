/** Connections to hosts that strangers name: only to public addresses, and to networks that the operator allows. */
import { promises as dns } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP, type LookupFunction } from "node:net";
import { isWithin } from "../lib/networks.ts";

/**
 * Cloud services for their own machines at addresses that look public: Azure's host service, IBM Cloud's service
 * network, Google's private access to its APIs.
 */
const CLOUD_HOSTS = ["168.63.129.16", "161.26.0.0/16", "166.8.0.0/14", "199.36.153.4/30", "199.36.153.8/30"];

/**
 * Addresses that are not public: loopback, private, shared, link-local, test, documentation, multicast and transition
 * networks (iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry). They cover most metadata
 * services of clouds, such as 169.254.169.254, 100.100.100.200 (Alibaba) and fd00:ec2::254; {@link CLOUD_HOSTS} lists
 * those that look public.
 */
const NOT_PUBLIC = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  ...CLOUD_HOSTS,
  // Parts of 2000::/3 that are not public.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
].join(",");

/** IPv4, also as `::ffff:192.0.2.1`, and the only allocated part of IPv6. */
const ALLOCATED = "0.0.0.0/0,::ffff:0:0/96,2000::/3";

const RESOLVE_WITHIN_MS = 2_000;
/** Read here, because DNS queries do not read it. */
const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
/** At most this many addresses of a name are checked and tried: a DNS server may return thousands. */
const MAX_ADDRESSES = 16;

export interface ResolveOptions {
  /** DNS servers, as `Resolver.setServers` takes them; the system's by default. */
  readonly nameServers?: readonly string[] | undefined;
  /** How often a server is asked; once by default. */
  readonly tries?: number;
  readonly hostsFile?: string;
}

/**
 * Whether a connection may be made to an address that a stranger chose.
 * @param allowed networks that the operator allows, as `isWithin` takes them
 */
export function mayConnectTo(address: string, allowed: readonly string[]): boolean {
  if (allowed.length > 0 && isWithin(address, allowed.join(","))) return true;
  return isWithin(address, ALLOCATED) && !isWithin(address, NOT_PUBLIC);
}

/** Returns the address of a URL, without the brackets of IPv6; undefined if the host is a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const plain = hostname.replace(/^\[|\]$/g, "");
  return isIP(plain) === 0 ? undefined : plain;
}

/**
 * Returns the addresses of a URL's host that a connection may use; none if it may use none of them. The connection must
 * use these, by {@link lookUpIn}: a name may have another address the next time it is resolved.
 * @throws {NodeJS.ErrnoException} (the promise) if the host has no addresses
 */
export async function allowedAddresses(
  url: URL,
  allowed: readonly string[],
  signal: AbortSignal,
  resolving: ResolveOptions = {},
): Promise<readonly string[]> {
  const address = addressIn(url);
  const all = address === undefined ? await resolveName(url.hostname, signal, resolving) : [address];
  return all.filter((one) => mayConnectTo(one, allowed));
}

/** Returns a lookup function that yields these addresses; they are tried in order. */
export function lookUpIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/**
 * Returns the addresses of a name, IPv4 first: from the hosts file, otherwise from DNS with one query. Search domains
 * do not apply. c-ares resolves these names, because strangers choose them: `dns.lookup` blocks one of libuv's four
 * threads and cannot be cancelled, so names that never resolve would stop file access and the service's own
 * connections.
 * @throws {NodeJS.ErrnoException} (the promise) if there are none
 */
async function resolveName(
  name: string,
  signal: AbortSignal,
  resolving: ResolveOptions = {},
): Promise<readonly string[]> {
  const local = await inHostsFile(name, resolving.hostsFile ?? HOSTS_FILE);
  if (local.length > 0) return local;
  const [v4, v6] = await withResolver(resolving, signal, (resolver) =>
    Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]),
  );
  const found = [v4, v6].flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value.slice(0, MAX_ADDRESSES / 2) : [],
  );
  if (found.length === 0 && v4.status === "rejected") throw v4.reason;
  return found;
}

/** Asks DNS by c-ares. The questions are cancelled when the signal aborts. @throws as the question does */
export async function withResolver<T>(
  { nameServers, tries = 1 }: ResolveOptions,
  signal: AbortSignal,
  ask: (resolver: dns.Resolver) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const resolver = new dns.Resolver({ timeout: RESOLVE_WITHIN_MS, tries });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    return await ask(resolver);
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
