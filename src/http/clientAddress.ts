import type { IncomingMessage } from "node:http";
import { isIP, SocketAddress } from "node:net";
import { isWithin } from "../lib/networks.ts";

/** An address with or without a port, such as `192.0.2.1:1234` and `"[2001:db8::1]:1234"` (RFC 7239, section 6). */
const NODE = /^"?(?:\[([^\]]*)\]|([^:"]*))(?::(?:[0-9]{1,5}|_[\w.-]+))?"?$/;
/** The client in an element of `Forwarded`, outside the quotes of other parameters: a client chooses its `host`. */
const FOR = /^(?:[^";]*(?:"(?:[^"\\]|\\.)*"[ \t]*)?;)*?[ \t]*for=([^; \t]*)/i;

/**
 * Returns the address of a client: the last address that no trusted proxy has. `Forwarded` counts only without
 * `X-Forwarded-For`. A proxy that reports no address (`unknown`, an obfuscated name, anything unreadable) is itself the
 * client.
 * @param proxies trusted addresses and networks, separated by commas; each valid by `isNetwork`
 * @returns without a port, brackets or zone; undefined for a connection that was reset
 */
export function clientAddressOf(
  {
    socket,
    headers,
  }: Pick<IncomingMessage, "headers"> & { readonly socket: { remoteAddress?: string | undefined } },
  proxies: string,
): string | undefined {
  const listed = headers["x-forwarded-for"]?.toString().split(",");
  // No address contains a comma, so quotes are ignored: a client's unbalanced quote cannot swallow what the proxy
  // appends.
  const nodes = listed ?? headers.forwarded?.split(",").map((element) => FOR.exec(element)?.[1] ?? "-") ?? [];
  let address = socket.remoteAddress;
  while (proxies !== "" && isWithin(address, proxies)) {
    const node = nodes.pop();
    if (node?.trim() === "") continue;
    const next = node === undefined ? undefined : addressIn(node.trim());
    if (next === undefined) return address;
    address = next;
  }
  return address;
}

function addressIn(node: string): string | undefined {
  const [, inBrackets, beforePort] = NODE.exec(node) ?? [];
  const address = (inBrackets ?? beforePort ?? node.replaceAll('"', "")).replace(/%.*/s, "");
  const family = isIP(address);
  if (family !== 6) return family === 4 ? address : undefined;
  // One spelling of each address. IPv4 over IPv6 counts as IPv4.
  return new SocketAddress({ address, family: "ipv6" }).address.replace(/^::ffff:(?=.*\.)/, "");
}
