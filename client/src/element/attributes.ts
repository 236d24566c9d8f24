/** The attributes of the element, for the types of a framework. */
export interface OpzoekAutocompleteAttributes {
  /** A key for browsers (`opz_pub_…`). React and Vue reserve `key`; use {@link "api-key"} there. */
  readonly key?: string;
  readonly "api-key"?: string;
  /** The typing session of a token (`opz_tok_…`). Without it the element creates its own sessions. */
  readonly session?: string;
  /** The address of the service; default: that of the page. */
  readonly "base-url"?: string;
  /** The form field for the KVK number. */
  readonly name?: string;
  /** The form field for the text, including text typed by hand. */
  readonly "text-name"?: string;
  /** Requires a company or its number. */
  readonly required?: boolean;
  /** Refuses text that is neither a chosen company nor a whole number. */
  readonly strict?: boolean;
  /** The initial KVK number, restored by a reset. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  /** The minimum number of characters for a search; 2 by default. */
  readonly "min-length"?: number | string;
  /** Maximum number of companies: 8 by default, at most 20. */
  readonly limit?: number | string;
  /** The pause before a search, milliseconds; 250 by default. */
  readonly debounce?: number | string;
  /** Looks up the chosen company to fill the form, if the key allows it. 1 token. */
  readonly lookup?: boolean;
  /** `nl` or `en`; default: that of the page. */
  readonly lang?: string;
}

/** Attributes that change the service or the key. */
export const CONNECTION_ATTRIBUTES: ReadonlySet<string> = new Set(["key", "api-key", "base-url"]);

/** Attributes that take effect when they change. The others are read when needed. */
export const OBSERVED: readonly string[] = [
  ...CONNECTION_ATTRIBUTES,
  "value",
  "required",
  "strict",
  "placeholder",
  "lang",
  "name",
  "text-name",
  "aria-label",
];

/** Returns an attribute as a whole number, or the fallback. */
export function wholeOf(element: Element, name: string, fallback: number): number {
  const text = element.getAttribute(name) ?? "";
  return /^\d+$/.test(text) ? Number(text) : fallback;
}

/** Warns the developer of a page about a key that every visitor could copy and spend. */
export function warnOfKey(key: string | null): void {
  if (!key?.startsWith("opz_live_")) return;
  console.warn(
    "<opzoek-autocomplete> has a live key, which every visitor of this page can copy and spend. Revoke it, and use a key for browsers (opz_pub_…).",
  );
}
