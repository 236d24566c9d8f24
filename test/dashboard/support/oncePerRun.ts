/** Once for all files that need a browser, before the first: several at once would each unpack one. */
import { unpacked } from "./chromium.ts";

export function setup(): void {
  unpacked();
}
