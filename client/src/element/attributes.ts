/** The attributes of the element, for the types of a framework. */
export interface OpzoekAutocompleteAttributes {
  /** A key for browsers (`opz_pub_…`). In React and Vue `key` has a meaning of its own: there it is {@link "api-key"}. */
  readonly key?: string;
  readonly "api-key"?: string;
  /** The session of typing that a token (`opz_tok_…`) was made for; without it the element names sessions of its own. */
  readonly session?: string;
  /** The service's address; the page's own unless given. */
  readonly "base-url"?: string;
  /** Under which name the KVK number is sent with the form. */
  readonly name?: string;
  /** Under which name the text is sent, what was typed by hand included. */
  readonly "text-name"?: string;
  /** A company, or its number, must be there. */
  readonly required?: boolean;
  /** A text that is neither a chosen company nor a whole number is refused. */
  readonly strict?: boolean;
  /** A KVK number to begin with, and to go back to by reset. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  /** From how many characters on is searched, 2 unless given. */
  readonly "min-length"?: number | string;
  /** Maximum number of companies: 8 by default, at most 20. */
  readonly limit?: number | string;
  /** The pause before a search, milliseconds; 250 unless given. */
  readonly debounce?: number | string;
  /** Whether the chosen company is looked up for the fields of the form: for a key that may, 1 token. */
  readonly lookup?: boolean;
  /** `nl` or `en`; that of the page around it unless given. */
  readonly lang?: string;
}

/** Those that change whom the service hears, or where it is. */
export const ASKING: ReadonlySet<string> = new Set(["key", "api-key", "base-url"]);

/** Those that are looked at when they change; the others are read when they are needed. */
export const OBSERVED: readonly string[] = [
  ...ASKING,
  "value",
  "required",
  "strict",
  "placeholder",
  "lang",
  "name",
  "text-name",
  "aria-label",
];

/** An attribute that is a whole number; anything else is as if it were absent. */
export function wholeOf(element: Element, name: string, usual: number): number {
  const text = element.getAttribute(name) ?? "";
  return /^\d+$/.test(text) ? Number(text) : usual;
}
