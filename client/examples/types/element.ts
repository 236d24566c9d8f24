import type {
  AutocompleteItem,
  Failure,
  Known,
  OpzoekAutocompleteAttributes,
  OpzoekAutocompleteElement,
} from "@opzoek/client/element";

export const attributes: OpzoekAutocompleteAttributes = {
  "api-key": "opz_pub_…",
  required: true,
  lang: "nl",
};
export const chosen = (field: OpzoekAutocompleteElement): AutocompleteItem | undefined => field.company;
export const cityOf = ({ address, city }: Known): string | undefined => address?.city ?? city;
export const isOurFault = ({ code }: Failure): boolean => code === "UNAUTHORIZED" || code === "FORBIDDEN";
