import type { KeyKind } from "../../../../src/contract/keyKinds.ts";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";

const MAX_NAME_LENGTH = 100;
export const MAX_ADDRESSES = 20;
export const MAX_ORIGINS = 20;
export const MAX_DAILY_TOKENS = 1_000_000;
const MAX_YEARS = 10;
const DAY_MS = 86_400_000;

/** The fields of a key as typed. */
export interface KeyFields {
  readonly name: string;
  /** `YYYY-MM-DD`: the key expires at the end of this day (UTC). Empty means never. */
  readonly expiry: string;
  /** One per line. */
  readonly addresses: string;
  readonly kind: KeyKind;
  /** For browser keys only, like the next two fields; one per line. */
  readonly origins: string;
  readonly dailyTokens: string;
  readonly mayLookUp: boolean;
}

export const NO_FIELDS: KeyFields = {
  name: "",
  expiry: "",
  addresses: "",
  kind: "live",
  origins: "",
  dailyTokens: "500",
  mayLookUp: false,
};

export function fieldsOf({ name, expiresAt, addresses = [], kind, browser }: AccountKey): KeyFields {
  return {
    ...NO_FIELDS,
    name,
    expiry: expiresAt === undefined ? "" : lastDayOf(expiresAt),
    addresses: addresses.join("\n"),
    kind,
    ...(browser !== undefined && {
      origins: browser.origins.join("\n"),
      dailyTokens: String(browser.dailyTokens),
      mayLookUp: browser.mayLookUp,
    }),
  };
}

/** Returns the last day (UTC) on which a key works. */
export function lastDayOf(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10);
}

/** Returns the entries of a list, one per line or separated by commas. */
export function linesIn(text: string): string[] {
  const lines = text.split(/[\n,;]/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** Returns the invalid fields. An unchanged expiry may be in the past. */
export function faultsOf(fields: KeyFields, before: KeyFields, nowMs: number) {
  const name = fields.name.trim();
  const [addresses, origins] = [linesIn(fields.addresses), linesIn(fields.origins)];
  const isMoved = fields.expiry !== before.expiry && fields.expiry !== "";
  const endMs = Date.parse(fields.expiry) + DAY_MS;
  const isAhead = endMs > nowMs && endMs <= nowMs + MAX_YEARS * 366 * DAY_MS;
  const tokens = Number(fields.dailyTokens);
  const isPub = fields.kind === "pub";
  return {
    name: name === "" || [...name].length > MAX_NAME_LENGTH,
    expiry: isMoved && !isAhead,
    /** The first invalid one. */
    address: addresses.find((address) => !isNetwork(address)),
    tooManyAddresses: addresses.length > MAX_ADDRESSES,
    noOrigin: isPub && origins.length === 0,
    tooManyOrigins: isPub && origins.length > MAX_ORIGINS,
    /** The first invalid one. */
    origin: isPub ? origins.find((origin) => !isOrigin(origin)) : undefined,
    dailyTokens:
      isPub && !(/^[0-9]{1,7}$/.test(fields.dailyTokens) && tokens >= 1 && tokens <= MAX_DAILY_TOKENS),
  };
}

/**
 * Returns the change to send. An unchanged expiry is omitted, because the stored one may be earlier than the end of its
 * day.
 */
export function changeOf(fields: KeyFields, before: KeyFields) {
  const { name, addresses, kind, origins, dailyTokens, mayLookUp, expiry } = fields;
  return {
    name: name.trim(),
    addresses: linesIn(addresses),
    ...(kind === "pub" && { origins: linesIn(origins), dailyTokens: Number(dailyTokens), mayLookUp }),
    ...(expiry !== before.expiry && { expiresAt: expiry === "" ? "never" : expiry }),
  };
}

/** Whether a text looks like an IP address or a network; the service decides. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  if (rest.length > 0) return false;
  const isV4 =
    /^([0-9]{1,3}\.){3}[0-9]{1,3}$/.test(address) && address.split(".").every((part) => Number(part) < 256);
  const isV6 = !isV4 && URL.canParse(`http://[${address}]`);
  if (!(isV4 || isV6)) return false;
  return prefix === undefined || (/^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) <= (isV4 ? 32 : 128));
}

/** Whether a text looks like an origin, or a wildcard for subdomains; the service decides. */
function isOrigin(text: string): boolean {
  const [, scheme, star, host = ""] = /^(https?:\/\/)?(\*\.)?([^\s/?#@*\\]+)\/?$/iu.exec(text) ?? [];
  if (host === "" || host.endsWith(".") || (scheme === undefined && star === undefined)) return false;
  return URL.canParse(`${scheme ?? "https://"}${host}`) && (star === undefined || host.includes("."));
}
