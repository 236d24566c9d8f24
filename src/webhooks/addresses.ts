/** The URLs that webhook messages may go to. */
import { addressIn, mayConnectTo } from "../upstream/guardedAddress.ts";

const MAX_BYTES = 2_048;

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
  if (address !== undefined && !mayConnectTo(address, allowed)) {
    return "must be a public address, not one of a private network";
  }
  return undefined;
}
