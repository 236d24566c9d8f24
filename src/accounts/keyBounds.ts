/** Validates new keys and changes of keys: names, expiry, networks, and the restrictions of browser keys. */
import { randomBytes } from "node:crypto";
import { base62, hashKey, keyHint, namedKind } from "../contract/keyForm.ts";
import type { KeyKind } from "../contract/keyKinds.ts";
import { quoted } from "../contract/quoting.ts";
import { isNetwork } from "../lib/networks.ts";
import { originRule } from "../lib/origins.ts";
import { AccountRefusal, PersonRefusal } from "./refusal.ts";
import type { BrowserBounds, KeyChange, NewKey } from "./stored.ts";

/** Keys that an address may create per day, including replacements. */
export const MAX_KEYS_A_DAY = 100;
/** Origins that a key may list. */
export const MAX_ORIGINS = 20;
/** Default daily tokens of a browser key: enough for about sixty people who find a company by name. */
export const DEFAULT_DAILY_TOKENS = 500;
export const MAX_DAILY_TOKENS = 1_000_000;
/** Addresses and networks that a key may list. */
export const MAX_ADDRESSES = 20;
const MAX_NAME_LENGTH = 100;
const DAY_MS = 86_400_000;
const MAX_YEARS = 10;
/** Unprintable characters, which could rewrite a terminal's line in a list of keys. */
const UNSHOWN = /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?Z$/;

/** Returns a key's name as it is stored. @throws {AccountRefusal} for a name that cannot be shown on one line */
export function keyName(name: string): string {
  const shown = name.trim();
  if (shown === "" || [...shown].length > MAX_NAME_LENGTH || UNSHOWN.test(shown)) {
    throw new AccountRefusal(
      `the name of a key must have 1 to ${MAX_NAME_LENGTH} characters, without control characters`,
    );
  }
  return shown;
}

/**
 * Requested restrictions of a key; see {@link keyExpiry}, {@link keyAddresses}. Absent fields do not change, or get
 * their default.
 */
export interface RequestedBounds extends Partial<BrowserBounds> {
  readonly expiresAt?: string;
  readonly addresses?: readonly string[];
}

/** A requested change of a key. */
export interface RequestedChange extends RequestedBounds {
  readonly name?: string;
}

/** The text for no expiry. */
export const NEVER = "never";

/**
 * Returns when a key expires, ISO 8601 UTC; null for never.
 * @param text a time in UTC, a day (the key expires at its end, UTC), or {@link NEVER}
 * @throws {AccountRefusal} for other texts, and for a time in the past or more than ten years ahead
 */
function keyExpiry(text: string, nowMs: number): string | null {
  if (text === NEVER) return null;
  const isDay = DAY.test(text);
  const parsedMs = isDay || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse reads February 30 as a day of March.
  const isReal = !Number.isNaN(parsedMs) && new Date(parsedMs).toISOString().startsWith(text.slice(0, 10));
  if (!isReal) {
    throw new AccountRefusal(
      `the expiry must be a day or a moment in UTC, such as 2027-06-30 or 2027-06-30T12:00:00Z, or "${NEVER}"; received ${quoted(text)}`,
    );
  }
  const expiresAtMs = isDay ? parsedMs + DAY_MS : parsedMs;
  if (expiresAtMs <= nowMs || expiresAtMs > nowMs + MAX_YEARS * 366 * DAY_MS) {
    throw new AccountRefusal(
      `the expiry must be in the future and at most ${MAX_YEARS} years away; to end a key now, revoke it`,
    );
  }
  return new Date(expiresAtMs).toISOString();
}

/**
 * Returns the addresses and networks of a key without duplicates.
 * @throws {AccountRefusal} for other texts, and for too many
 */
function keyAddresses(addresses: readonly string[]): readonly string[] {
  const unique = new Set(addresses.map((address) => address.trim().toLowerCase()));
  if (unique.size > MAX_ADDRESSES) {
    throw new AccountRefusal(
      `a key may list at most ${MAX_ADDRESSES} addresses and networks: combine addresses into networks, such as 192.0.2.0/24`,
    );
  }
  for (const address of unique) {
    if (isNetwork(address)) continue;
    throw new AccountRefusal(
      `${quoted(address)} is not an IP address or network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32`,
    );
  }
  return [...unique];
}

/** Returns the requested restrictions as they are stored. @throws {AccountRefusal} */
export function keyBounds(
  { expiresAt, addresses, ...rest }: RequestedBounds,
  nowMs: number,
): Omit<KeyChange, "name"> {
  const browser = browserBounds(rest);
  return {
    ...(Object.keys(browser).length > 0 && { browser }),
    ...(expiresAt !== undefined && { expiresAt: keyExpiry(expiresAt, nowMs) }),
    ...(addresses !== undefined && { addresses: keyAddresses(addresses) }),
  };
}

/**
 * Returns a key that is not stored yet.
 * @throws {AccountRefusal} for a name that cannot be shown on one line, and for bad restrictions
 */
export function draftKey(
  accountId: string,
  name: string,
  key: string,
  nowMs: number,
  requestedBounds: RequestedBounds = {},
): NewKey {
  const id = `key_${base62(16, randomBytes)}`;
  const createdAt = new Date(nowMs).toISOString();
  const kind = namedKind(key);
  const { expiresAt, browser: requestedBrowser = {}, ...bounds } = keyBounds(requestedBounds, nowMs);
  const browser = browserBoundsOfNew(kind, requestedBrowser);
  return {
    ...{ id, accountId, name: keyName(name), ...keyHint(key), kind },
    ...{ createdAt, hash: hashKey(key), ...bounds },
    ...(browser !== undefined && { browser }),
    ...(typeof expiresAt === "string" && { expiresAt }),
  };
}

/** @param key the key that was not stored */
export function tooManyToday({ createdAt }: Pick<NewKey, "createdAt">): PersonRefusal {
  const waitSeconds = Math.ceil((DAY_MS - (Date.parse(createdAt) % DAY_MS)) / 1_000);
  return new PersonRefusal(
    "tries",
    `you have created ${MAX_KEYS_A_DAY} keys today (UTC), which is the maximum; try again tomorrow`,
    waitSeconds,
  );
}

/**
 * Returns the requested restrictions as they are stored.
 * @throws {AccountRefusal} for a bad, missing or excess origin, and a bad cap
 */
function browserBounds({ origins, mayLookUp, dailyTokens }: Partial<BrowserBounds>): Partial<BrowserBounds> {
  return {
    ...(origins !== undefined && { origins: keyOrigins(origins) }),
    ...(mayLookUp !== undefined && { mayLookUp }),
    ...(dailyTokens !== undefined && { dailyTokens: dailyCap(dailyTokens) }),
  };
}

/**
 * Returns all restrictions of a new browser key; undefined for other kinds.
 * @throws {AccountRefusal} for a browser key without origins, and for restrictions on another kind
 */
function browserBoundsOfNew(
  kind: KeyKind,
  requestedBrowser: Partial<BrowserBounds>,
): BrowserBounds | undefined {
  if (kind === "pub") {
    const {
      origins = keyOrigins([]),
      mayLookUp = false,
      dailyTokens = DEFAULT_DAILY_TOKENS,
    } = requestedBrowser;
    return { origins, mayLookUp, dailyTokens };
  }
  if (Object.keys(requestedBrowser).length === 0) return undefined;
  throw new AccountRefusal(
    "only browser keys have origins, lookups and daily tokens: create a key of kind pub",
    "origins",
  );
}

function keyOrigins(texts: readonly string[]): readonly string[] {
  const unique = new Set<string>();
  for (const text of texts) {
    const rule = originRule(text);
    if (rule === undefined) {
      throw new AccountRefusal(
        `${quoted(text)} is not the origin of a web page, such as https://shop.example or https://*.shop.example, without a path`,
        "origins",
      );
    }
    unique.add(rule);
  }
  if (unique.size === 0) {
    throw new AccountRefusal(
      "a browser key needs the origins of the pages that may use it, such as https://shop.example",
      "origins",
    );
  }
  if (unique.size > MAX_ORIGINS) {
    throw new AccountRefusal(
      `a key may list at most ${MAX_ORIGINS} origins: combine names, such as https://*.shop.example`,
      "origins",
    );
  }
  return [...unique];
}

function dailyCap(tokens: number): number {
  if (Number.isInteger(tokens) && tokens >= 1 && tokens <= MAX_DAILY_TOKENS) return tokens;
  throw new AccountRefusal(
    `the daily tokens of a key must be a whole number from 1 to ${MAX_DAILY_TOKENS}`,
    "dailyTokens",
  );
}
