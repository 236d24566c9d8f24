/** Rules for addresses that all origins share: postal code, house number, PO box, shielding. */
import type { Address } from "../contract/resources.ts";
import type { FactsAddress } from "./facts.ts";
import { isLikelyPlace, PROVINCE } from "./places.ts";

export const PO_BOX_STREET = "Postbus";
export const FREEPOST_STREET = "Antwoordnummer";
/** Streets of addresses that receive mail only. */
const POSTAL_STREETS: readonly (string | undefined)[] = [PO_BOX_STREET, FREEPOST_STREET];

const POSTAL_CODE = /^(?:NL[-\s]*)?([1-9][0-9]{3})[\s.-]*([A-Za-z]{2})\.?$/i;

/** `1234 AB` from `1234AB`, `1234 ab` or `NL-1234 AB`; undefined for anything else. */
export function parsePostalCode(text: string): string | undefined {
  const found = POSTAL_CODE.exec(text.trim());
  return found === null ? undefined : `${found[1]} ${(found[2] ?? "").toUpperCase()}`;
}

/** Number, letter, then `-addition`: `17M`, `3-A`, `17a-2` (contract §2). More than a single letter is an addition. */
export function formatHouseNumber(number: string, letter = "", addition = ""): string {
  const isLetter = /^[a-z]?$/i.test(letter);
  const added = isLetter ? addition : `${letter} ${addition}`.trim();
  return `${number}${isLetter ? letter : ""}${added === "" ? "" : `-${added}`}`;
}

/** The kind of an address, by its street. */
export function kindOf({ street }: Address | Pick<Address, "street">): FactsAddress["kind"] {
  return POSTAL_STREETS.includes(street) ? "correspondence" : "visiting";
}

const STREET_WORDS =
  "straat|str\\.?|pad|allee|laan|weg|kade|gracht|plein|singel|steeg|dreef|boulevard|street|road|avenue|hof|erf|markt";
/** The end of a word that only streets have. */
export const STREET_ENDING = new RegExp(`(?:${STREET_WORDS})$`, "i");
/**
 * Text that no place name contains: figures, separators, an initial, or a word for a street, a PO box, a house or a
 * person.
 */
const NOT_IN_CITY = new RegExp(
  `(?!${PROVINCE})\\(|[^\\p{L}\\p{M}\\s'’‘\`.()/-]|\\s-\\s|(?<![ab])/|/(?![dhz](?!\\p{L}))|(?:${STREET_WORDS}|bus|box)(?!\\p{L})|(?<!\\p{L}|['’]s[ -])(?:huize|fam|familie|(?:de )?heer|dhr|mevrouw|mw|ter attentie|attn|te|zie)(?!\\p{L})|(?<![\\p{L}.])t\\.?\\s?a\\.?\\s?v(?!\\p{L})|(?<![\\p{L}(.])\\p{L}\\.(?!\\s?[dh]\\.)`,
  "iu",
);
/** Longer than any Dutch place name. */
const MAX_CITY_LENGTH = 60;

/**
 * Whether a text is a city and nothing else. Some real cities fail (`2e Exloërmond`), and are omitted where that
 * matters.
 */
export function isUnambiguousCity(text: string): boolean {
  return text.length <= MAX_CITY_LENGTH && /\p{L}/u.test(text) && !NOT_IN_CITY.test(text);
}

/**
 * The address as it may be stored and shown: only city and country of a shielded one (contract §2), and the city only
 * if its field has nothing else, as people write whole addresses into it. Every origin uses this function.
 * @param isChecked whether a city that is in no table and of no usual form is known to be one
 */
export function hideShielded<Shown extends Address>(address: Shown, isChecked = true): Shown | Address {
  if (address.isShielded !== true) return address;
  const { city, country } = address;
  const isShown = city !== undefined && isUnambiguousCity(city) && (isChecked || isLikelyPlace(city));
  return {
    ...(isShown ? { city } : {}),
    ...(country === undefined ? {} : { country }),
    isShielded: true,
  };
}
