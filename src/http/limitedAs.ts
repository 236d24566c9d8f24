/** What clients are counted as that were gone before their address could be read. */
const GONE = "gone";

/**
 * What a client is counted as. An IPv6 address stands for its /64: that is what one customer is given, and can vary at
 * will.
 * @param address undefined for a connection that was reset before it was looked at
 */
export function limitedAs(address: string | undefined): string {
  if (address === undefined) return GONE;
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
