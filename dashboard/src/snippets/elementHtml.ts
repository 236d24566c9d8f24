import { bilingual } from "../language/bilingual.ts";

/** The labels of a form with the autocomplete element. */
export const elementTexts = bilingual({
  company: ["Company", "Bedrijf"],
  placeholder: ["Name or KVK number", "Naam of KVK-nummer"],
  street: ["Street", "Straat"],
  houseNumber: ["Number", "Nummer"],
  postalCode: ["Postal code", "Postcode"],
  city: ["City", "Plaats"],
});

/** The fields filled by a lookup. */
export const ADDRESS_FIELDS = ["street", "houseNumber", "postalCode", "city"] as const;

/**
 * Returns the HTML of a form with the autocomplete element of this service, ready to paste into a page.
 * @param mayLookUp whether the key may look up companies; otherwise only the name, number and city are known
 */
export function elementHtml(
  words: (typeof elementTexts)["en"],
  language: string,
  key: string,
  mayLookUp: boolean,
): string {
  const fields = (mayLookUp ? ADDRESS_FIELDS : (["city"] as const)).map(
    (name) => `  <label>${words[name]} <input name="${name}" data-opzoek-fill="${name}"></label>`,
  );
  return `<script type="module" src="${location.origin}/element.js"></script>
<form lang="${language}">
  <label for="company">${words.company}</label>
  <opzoek-autocomplete id="company" name="kvkNumber" text-name="company" required${mayLookUp ? " lookup" : ""}
    base-url="${location.origin}" key="${key}" placeholder="${words.placeholder}"></opzoek-autocomplete>
${fields.join("\n")}
</form>`;
}
