import { BlockList, isIP } from "node:net";
import { boundedCache } from "./boundedCache.ts";

/** Recently used lists, some 2 KB each: 2 MB. */
const MAX_KNOWN = 1_000;
const known = boundedCache<string, BlockList>(MAX_KNOWN);

/** Whether a text is an IP address, or a network with a valid prefix length (CIDR). */
export function isNetwork(text: string): boolean {
  const [address = "", prefix] = text.split("/", 2);
  const family = isIP(address);
  if (family === 0 || address.includes("%") || text.split("/").length > 2) return false;
  if (prefix === undefined) return true;
  return /^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

/**
 * Whether an address is in one of the networks. An IPv4 address over IPv6 (`::ffff:192.0.2.1`) counts as the IPv4
 * address.
 * @param address undefined for a closed connection, which is in no network
 * @param networks each valid by {@link isNetwork}, separated by commas
 */
export function isWithin(address: string | undefined, networks: string): boolean {
  if (address === undefined) return false;
  // The zone of a link-local address names an interface of this machine, not of the caller.
  const plain = address.replace(/%.*/s, "");
  const family = isIP(plain);
  if (family === 0) return false;
  let list = known.get(networks);
  if (list === undefined) {
    list = listOf(networks);
    known.set(networks, list);
  }
  return list.check(plain, family === 4 ? "ipv4" : "ipv6");
}

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(",")) {
    const [address = "", prefix] = network.split("/", 2);
    const type = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (prefix === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(prefix), type);
  }
  return list;
}
