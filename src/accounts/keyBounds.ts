import { quoted } from "../contract/quoting.ts";
import { isNetwork } from "../lib/networks.ts";
import { type AskedBrowserBounds, browserBounds } from "./browserBounds.ts";
import { AccountRefusal } from "./refusal.ts";
import type { KeyChange } from "./store.ts";

/** So many addresses and networks one key may name. */
export const MOST_ADDRESSES = 20;
const MOST_NAME_LENGTH = 100;
const DAY_MS = 86_400_000;
const LONGEST_YEARS = 10;
/** Characters that are not shown: in a list of keys they could rewrite the terminal's line. */
const UNSHOWN = /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?Z$/;

/** A key's name as it is kept. @throws {AccountRefusal} for one that cannot be shown on a line */
export function keyName(name: string): string {
  const shown = name.trim();
  if (shown === "" || [...shown].length > MOST_NAME_LENGTH || UNSHOWN.test(shown)) {
    throw new AccountRefusal(
      `a key needs a name of 1 to ${MOST_NAME_LENGTH} characters, no control characters`,
    );
  }
  return shown;
}

/** How a key is bound, as it is asked for: see {@link keyExpiry}, {@link keyAddresses} and `browserBounds.ts`. */
export interface AskedBounds extends AskedBrowserBounds {
  readonly expiresAt?: string;
  readonly addresses?: readonly string[];
}

/** What is asked to be changed of a key; what is absent stays. */
export interface AskedChange extends AskedBounds {
  readonly name?: string;
}

/** What is asked for where a key is to have no expiry. */
export const NEVER = "never";

/**
 * When a key expires, ISO 8601 UTC; null for never.
 * @param text a moment in UTC, or a day, with whose end (UTC) the key expires, or {@link NEVER}
 * @throws {AccountRefusal} for neither, and for one that does not lie ahead or lies ten years ahead
 */
export function keyExpiry(text: string, nowMs: number): string | null {
  if (text === NEVER) return null;
  const isDay = DAY.test(text);
  const parsedMs = isDay || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // A day that no month has is read as one of the next month.
  const isReal = !Number.isNaN(parsedMs) && new Date(parsedMs).toISOString().startsWith(text.slice(0, 10));
  if (!isReal) {
    throw new AccountRefusal(
      `a key's expiry is a day or a moment in UTC, such as 2027-06-30 or 2027-06-30T12:00:00Z, or "${NEVER}"; received ${quoted(text)}`,
    );
  }
  const expiresAtMs = isDay ? parsedMs + DAY_MS : parsedMs;
  if (expiresAtMs <= nowMs || expiresAtMs > nowMs + LONGEST_YEARS * 366 * DAY_MS) {
    throw new AccountRefusal(
      `a key's expiry lies ahead, at most ${LONGEST_YEARS} years; to end a key now, revoke it`,
    );
  }
  return new Date(expiresAtMs).toISOString();
}

/**
 * The addresses and networks that a key may be used from, each once.
 * @throws {AccountRefusal} for what is neither, and for too many
 */
export function keyAddresses(addresses: readonly string[]): readonly string[] {
  const kept = new Set(addresses.map((address) => address.trim().toLowerCase()));
  if (kept.size > MOST_ADDRESSES) {
    throw new AccountRefusal(
      `a key may name ${MOST_ADDRESSES} addresses and networks at most: take a network together, such as 192.0.2.0/24`,
    );
  }
  for (const address of kept) {
    if (isNetwork(address)) continue;
    throw new AccountRefusal(
      `${quoted(address)} is no IP address or network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32`,
    );
  }
  return [...kept];
}

/** Bounds as they are kept; what was not asked for stays away. @throws {AccountRefusal} */
export function keyBounds(
  { expiresAt, addresses, ...rest }: AskedBounds,
  nowMs: number,
): Omit<KeyChange, "name"> {
  const browser = browserBounds(rest);
  return {
    ...(Object.keys(browser).length > 0 && { browser }),
    ...(expiresAt !== undefined && { expiresAt: keyExpiry(expiresAt, nowMs) }),
    ...(addresses !== undefined && { addresses: keyAddresses(addresses) }),
  };
}
