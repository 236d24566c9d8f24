import type { KeyKind } from "../../../../src/contract/keyKinds.ts";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { type BrowserFields, browserChangeOf, NO_BROWSER_FIELDS } from "./browserFields.ts";

export const LONGEST_NAME = 100;
export const MOST_ADDRESSES = 20;
const LONGEST_YEARS = 10;
const DAY_MS = 86_400_000;

/** What a person fills in of a key. */
export interface KeyFields {
  readonly name: string;
  /** `YYYY-MM-DD`, with whose end (UTC) the key expires; empty for never. */
  readonly expiry: string;
  /** One on each line. */
  readonly addresses: string;
  readonly kind: KeyKind;
  /** Of a key for browsers only. */
  readonly browser: BrowserFields;
}

export const NO_FIELDS: KeyFields = {
  name: "",
  expiry: "",
  addresses: "",
  kind: "live",
  browser: NO_BROWSER_FIELDS,
};

/** What is filled in of a key that is there. */
export function fieldsOf({ name, expiresAt, addresses, kind, browser }: AccountKey): KeyFields {
  return {
    name,
    expiry: expiresAt === undefined ? "" : lastDayOf(expiresAt),
    addresses: (addresses ?? []).join("\n"),
    kind,
    browser:
      browser === undefined
        ? NO_BROWSER_FIELDS
        : {
            origins: browser.origins.join("\n"),
            dailyTokens: String(browser.dailyTokens),
            mayLookUp: browser.mayLookUp,
          },
  };
}

/** The last day (UTC) on which a key that expires at a moment works. */
export function lastDayOf(expiresAt: string): string {
  return new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10);
}

/** The addresses that were filled in, one on each line or parted by commas. */
export function addressesIn(text: string): string[] {
  const lines = text.split(/[\n,;]/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

/** What is wrong with the fields; an expiry that stays as it was may be past. */
export function faultsOf(fields: KeyFields, before: KeyFields, nowMs: number) {
  const name = fields.name.trim();
  const addresses = addressesIn(fields.addresses);
  const wrong = addresses.find((address) => !isNetwork(address));
  const isMoved = fields.expiry !== before.expiry && fields.expiry !== "";
  const endMs = Date.parse(fields.expiry) + DAY_MS;
  const isAhead = endMs > nowMs && endMs <= nowMs + LONGEST_YEARS * 366 * DAY_MS;
  return {
    name: name === "" || [...name].length > LONGEST_NAME,
    expiry: isMoved && !isAhead,
    ...(wrong !== undefined && { address: wrong }),
    tooManyAddresses: addresses.length > MOST_ADDRESSES,
  };
}

/** What is sent of a change: an expiry only where it was moved, as what is stored may be a moment within its day. */
export function changeOf(fields: KeyFields, before: KeyFields) {
  return {
    name: fields.name.trim(),
    addresses: addressesIn(fields.addresses),
    ...(fields.kind === "pub" && browserChangeOf(fields.browser)),
    ...(fields.expiry !== before.expiry && { expiresAt: fields.expiry === "" ? "never" : fields.expiry }),
  };
}

/** Whether this looks like an IP address or a network; the service has the last word. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  if (rest.length > 0) return false;
  const isV4 =
    /^([0-9]{1,3}\.){3}[0-9]{1,3}$/.test(address) && address.split(".").every((part) => Number(part) < 256);
  const isV6 = !isV4 && URL.canParse(`http://[${address}]`);
  if (!(isV4 || isV6)) return false;
  return prefix === undefined || (/^[1-9][0-9]{0,2}$/.test(prefix) && Number(prefix) <= (isV4 ? 32 : 128));
}
