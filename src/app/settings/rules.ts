/** Parsers of the values of settings; the table of settings is in `settings.ts`. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { mailboxOf } from "../../contract/emailAddress.ts";
import { DEFAULT_TIERS, isTier, type Tier, type TierTable } from "../../contract/tiers.ts";
import { BadDatabaseUrl, serverUrls } from "../../database/postgres/serverUrls.ts";
import { isNetwork } from "../../lib/networks.ts";
import { hasScheme, isPlain, isSecretUrl, SECRET_URL_RULE } from "../../lib/secretUrl.ts";
import { isJsonObject } from "../../lib/values.ts";

/** The rule that a setting breaks, worded to follow its name. Never contains the value. */
export class BrokenRule extends Error {}

export interface Setting<T> {
  /** The default as the documentation shows it; "–" for "not set". */
  readonly shownDefault: string;
  readonly fallback: T;
  readonly meaning: string;
  /** Parses the text or throws the broken rule. */
  readonly parse: (text: string) => T;
}

export function setting<T>(
  fallback: NoInfer<T>,
  parse: (text: string) => T,
  meaning: string,
  shownDefault: string = Array.isArray(fallback) ? "–" : String(fallback),
): Setting<T> {
  return { shownDefault, fallback, meaning, parse };
}

/** A setting without a default. */
export function optional<T>(parse: (text: string) => T, meaning: string): Setting<T | undefined> {
  return setting<T | undefined>(undefined, parse, meaning, "–");
}

/** Any text. */
export const anyText = (text: string): string => text;

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value < min || value > max) {
      throw new BrokenRule(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** A fraction, such as 0.2. */
export function share(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+(\.[0-9]{1,6})?$/.test(text) || value > 1) {
    throw new BrokenRule("must be a number from 0 to 1, such as 0.2");
  }
  return value;
}

/** A time of day, such as 04:30. */
export function dayTime(text: string): string {
  if (!/^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(text)) {
    throw new BrokenRule("must be a time from 00:00 to 23:59, such as 04:30");
  }
  return text;
}

/** The id of a subscription at KVK. */
export function subscription(text: string): string {
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(text)) {
    throw new BrokenRule("must be an id of 1 to 100 letters, digits, dots, hyphens and underscores");
  }
  return text;
}

export function oneOf<const T extends string>(...words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new BrokenRule(`must be one of ${words.join(", ")}`);
    return found;
  };
}

export function httpUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new BrokenRule("must begin with http:// or https://");
  }
  return text.replace(/(?<!\/)\/+$/, "");
}

/** A page for people, unchanged: a trailing slash may matter. */
export function pageUrl(text: string): string {
  httpUrl(text);
  const { username, password } = new URL(text);
  if (username !== "" || password !== "")
    throw new BrokenRule("must not contain a user or password: it is shown publicly");
  return text;
}

/** The contact of the operator: an email address or a page. */
export function contact(text: string): string {
  if (/^https?:/i.test(text)) return pageUrl(text);
  if (mailboxOf(text) === undefined) {
    throw new BrokenRule(
      "must be an email address such as help@example.com, or begin with http:// or https://",
    );
  }
  return `mailto:${mailAddress(text)}`;
}

/** The address of an OpenTelemetry collector, below which spans are sent. */
export function collectorUrl(text: string): string {
  const address = httpUrl(text);
  if (!isPlain(new URL(text))) {
    throw new BrokenRule(
      "must not contain a user, password, ? or #: /v1/traces is appended, and keys belong in OTEL_EXPORTER_OTLP_HEADERS",
    );
  }
  return address;
}

/** An address that receives a secret. */
export function secretUrl(text: string): string {
  if (!isSecretUrl(text)) throw new BrokenRule(SECRET_URL_RULE);
  return text.replace(/(?<!\/)\/+$/, "");
}

/** The absolute path of a file or folder of this machine. */
export function localPath(text: string): string {
  if (hasScheme(text)) throw new BrokenRule("must be a path on this machine");
  return resolve(text);
}

/** The content of a file. */
export function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new BrokenRule(`must name a readable file (${codeOf(error)})`);
  }
}

/** The system's error code for a file that cannot be read: `ENOENT` or `EACCES`. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

/** A mail server, `smtp://` or `smtps://`. @throws {BrokenRule} without the value, which may contain a password */
export function smtpUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new BrokenRule("must be smtp://user:password@host:port or smtps://…");
  }
  return text;
}

export function mailAddress(text: string): string {
  const mailbox = mailboxOf(text);
  if (mailbox === undefined) {
    throw new BrokenRule("must be an email address without a name, such as opzoek@example.com");
  }
  return `${mailbox.localPart}@${mailbox.domain}`;
}

/** A database, on one server or several. @throws {BrokenRule} without the value, which may contain a password */
export function postgresUrl(text: string): string {
  try {
    serverUrls(text);
  } catch (error) {
    throw error instanceof BadDatabaseUrl ? new BrokenRule(error.message) : error;
  }
  return text;
}

/** The tiers of `TIERS_FILE`, in addition to the built-in ones. */
export function readTiers(path: string): TierTable {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const cause = error instanceof SyntaxError ? "it is not JSON" : codeOf(error);
    throw new BrokenRule(`must name a readable JSON file: ${resolve(path)} (${cause})`);
  }
  try {
    return { ...DEFAULT_TIERS, ...checkTiers(parsed) };
  } catch (error) {
    throw error instanceof BrokenRule ? new BrokenRule(`${error.message} (${resolve(path)})`) : error;
  }
}

/** Parses a `TIERS_FILE`: tiers by name. */
function checkTiers(parsed: unknown): TierTable {
  const rule =
    "must contain {name: {monthlyTokens, ratePerMinute}} with whole numbers, and optionally isFree (true or false) and maxMonitors (a whole number)";
  if (!isJsonObject(parsed)) throw new BrokenRule(rule);
  const tiers = Object.entries(parsed).map(([name, tier]): [string, Tier] => {
    if (!/^[a-z][a-z0-9_-]{0,30}$/.test(name)) {
      throw new BrokenRule("must use tier names of at most 31 characters: a-z, 0-9, _ and -");
    }
    if (!isTier(tier)) throw new BrokenRule(`${rule}; tier ${name} is invalid`);
    return [name, tier];
  });
  return Object.fromEntries(tiers);
}

/** Comma-separated texts, each checked by a rule. @throws {BrokenRule} without the value, which may be a secret */
function listOf(isGood: (text: string) => boolean, rule: string): (text: string) => readonly string[] {
  return (text) => {
    const parts = text.split(",").map((part) => part.trim());
    if (!parts.every(isGood)) throw new BrokenRule(rule);
    return parts;
  };
}

/** Public keys as `opzoek registry keys` prints them. */
export const publicKeyList = listOf(
  (key) => /^ed25519:[A-Za-z0-9_-]{43}$/.test(key),
  'must be public keys as "opzoek registry keys" prints them (ed25519:… with 43 characters), separated by commas',
);

/** Secret keys of 32 bytes in base64. */
export const sealKeyList = listOf(
  (key) => /^[A-Za-z0-9+/]{43}=$/.test(key),
  'must be 32 bytes in base64, as "openssl rand -base64 32" prints them, or several separated by commas',
);

/** A name in DNS, without a dot at the end. */
export function hostName(text: string): string {
  if (!/^(?=.{1,180}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/i.test(text)) {
    throw new BrokenRule("must be a name in DNS, such as example.com");
  }
  return text;
}

/** Addresses with an optional port. An address of IPv6 with a port is in brackets. */
export const addressesWithPort = listOf((text) => {
  const [, v6, v4, port] = /^(?:\[([^[\]]+)\]|([^:[\]]+)):([1-9][0-9]{0,4})$/.exec(text) ?? [];
  const isWithPort = isIP(v6 ?? "") === 6 || isIP(v4 ?? "") === 4;
  return isIP(text) !== 0 || (isWithPort && Number(port) <= 65_535);
}, "must be IP addresses, each with a port if it is not 53, such as 192.0.2.53:5353, separated by commas");

/** IP addresses and networks. */
export const networks = listOf(
  isNetwork,
  "must be IP addresses or networks such as 10.0.0.0/8, separated by commas",
);
