/** Defines `<opzoek-autocomplete>` in the page that imports this. */
import type { AutocompleteItem } from "../api/resources.ts";
import { OpzoekAutocompleteElement } from "./autocompleteElement.ts";
import type { Failure } from "./failure.ts";
import type { Known } from "./fill.ts";

export type { AutocompleteItem } from "../api/resources.ts";
export type { OpzoekAutocompleteAttributes } from "./attributes.ts";
export type { Failure } from "./failure.ts";
export type { Known } from "./fill.ts";
export { OpzoekAutocompleteElement };

declare global {
  interface HTMLElementTagNameMap {
    "opzoek-autocomplete": OpzoekAutocompleteElement;
  }
  interface HTMLElementEventMap {
    /** A company was chosen. */
    "opzoek-select": CustomEvent<AutocompleteItem>;
    /** The choice was removed. */
    "opzoek-clear": CustomEvent<AutocompleteItem>;
    /** A search or lookup failed. */
    "opzoek-error": CustomEvent<Failure>;
    /** The form was filled; `fields` are the fields with a value of the company. */
    "opzoek-fill": CustomEvent<{ readonly company: Known; readonly fields: readonly string[] }>;
  }
}

// Only with a DOM, and only once, because a page may load two copies.
if (globalThis.customElements !== undefined && customElements.get("opzoek-autocomplete") === undefined)
  customElements.define("opzoek-autocomplete", OpzoekAutocompleteElement);
