// `key` is a word of React, so the element's key is `api-key`.
import "@opzoek/client/element";
import type {
  AutocompleteItem,
  OpzoekAutocompleteAttributes,
  OpzoekAutocompleteElement,
} from "@opzoek/client/element";
import { useState } from "react";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "opzoek-autocomplete": Omit<OpzoekAutocompleteAttributes, "key"> &
        DetailedHTMLProps<HTMLAttributes<OpzoekAutocompleteElement>, OpzoekAutocompleteElement> & {
          "onopzoek-select"?: (event: CustomEvent<AutocompleteItem>) => void;
          "onopzoek-clear"?: () => void;
        };
    }
  }
}

export function CompanyForm() {
  const [company, setCompany] = useState<AutocompleteItem>();
  const [street, setStreet] = useState("");
  return (
    <form>
      <label htmlFor="company">Company</label>
      <opzoek-autocomplete
        id="company"
        name="kvkNumber"
        api-key={import.meta.env.VITE_OPZOEK_KEY}
        base-url={import.meta.env.VITE_OPZOEK_URL}
        required
        lookup
        onopzoek-select={({ detail }) => setCompany(detail)}
        onopzoek-clear={() => setCompany(undefined)}
      />
      <label htmlFor="street">Street</label>
      <input
        id="street"
        data-opzoek-fill="street"
        value={street}
        onChange={({ target }) => setStreet(target.value)}
      />
      <output>
        {company === undefined ? "No company yet" : `${company.kvkNumber} lives in ${street || "?"}`}
      </output>
    </form>
  );
}
