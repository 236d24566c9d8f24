/**
 * Host names that callers choose, resolved by c-ares. The system's resolver (`dns.lookup`) blocks one of the four threads that file access and the
 * service's own connections need, and cannot be cancelled: names that are never answered would stop both.
 */
import { promises as dns } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

const ANSWER_WITHIN_MS = 2_000;
const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
/** More of a name are ignored: each is checked, and a DNS server may return thousands. */
const MAX_ADDRESSES = 16;

export interface ResolveOptions {
  /** DNS servers, as `Resolver.setServers` takes them; the system's unless given. */
  readonly nameServers?: readonly string[] | undefined;
  readonly hostsFile?: string;
}

/**
 * Returns the addresses of a name, those of IPv4 first: from the hosts file, or else from DNS, which is asked once. Search domains do not apply.
 * @throws {NodeJS.ErrnoException} (the promise) when there is none
 */
export async function resolveName(
  name: string,
  signal: AbortSignal,
  { nameServers, hostsFile = HOSTS_FILE }: ResolveOptions = {},
): Promise<readonly string[]> {
  const local = await inHostsFile(name, hostsFile);
  if (local.length > 0) return local;
  signal.throwIfAborted();
  const resolver = new dns.Resolver({ timeout: ANSWER_WITHIN_MS, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((one) =>
      one.status === "fulfilled" ? one.value.slice(0, MAX_ADDRESSES / 2) : [],
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
