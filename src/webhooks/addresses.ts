/** The addresses that webhook messages may go to: public ones, and networks that the operator allows. */
import { isIP } from "node:net";
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

const MAX_BYTES = 2_048;

/**
 * Whether a message may be sent to an address.
 * @param allowed networks that the operator allows, as `isWithin` takes them
 */
export function mayBeSentTo(address: string, allowed: readonly string[]): boolean {
  if (allowed.length > 0 && isWithin(address, allowed.join(","))) return true;
  return isWithin(address, ALLOCATED) && !isWithin(address, NOT_PUBLIC);
}

/** Returns the address of a URL, without the brackets of IPv6; undefined if the host is a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const plain = hostname.replace(/^\[|\]$/g, "");
  return isIP(plain) === 0 ? undefined : plain;
}

/**
 * Returns the rule that a webhook URL breaks, worded to follow its name; undefined if it is valid. Names are resolved
 * and checked at each delivery.
 */
export function problemOfWebhook(text: string, allowed: readonly string[]): string | undefined {
  if (text === "") return "must not be empty: give an address, or leave it out";
  if (Buffer.byteLength(text) > MAX_BYTES) return `must have at most ${MAX_BYTES} bytes`;
  const url = URL.parse(text);
  const schemes = allowed.length > 0 ? ["https:", "http:"] : ["https:"];
  if (url === null || !schemes.includes(url.protocol)) return "must be an address that begins with https://";
  if (url.username !== "" || url.password !== "") return "must not contain a user or password";
  const address = addressIn(url);
  if (address !== undefined && !mayBeSentTo(address, allowed)) {
    return "must be a public address, not one of a private network";
  }
  return undefined;
}
