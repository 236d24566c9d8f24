import type { Address } from "../contract/resources.ts";
import { known, tidy } from "../lib/values.ts";
import { isUnambiguousCity, parsePostalCode } from "./address.ts";
import { splitCountry } from "./country.ts";
import { PROVINCE } from "./places.ts";
import { isTooLong, type OnUnplaced, splitStreet } from "./streetLine.ts";

/** Capitals first: in small letters `1940 en` looks like a postal code. The last match in the text is used. */
const POSTAL_CODE_INSIDE = [
  /(?<=^|[\s,;|/(])(?:NL-)?([1-9][0-9]{3} ?[A-Z]{2})(?=$|[\s,;|/)])/g,
  /(?<=^|[\s,;|/(])(?:nl-)?([1-9][0-9]{3} ?[a-z]{2})(?=$|[\s,;|/)])/gi,
];

/**
 * Parses a whole Dutch address, such as KVK's volledigAdres (`Korenmolenlaan 17 M      1034WL Amsterdam`, with padding)
 * or a spreadsheet's `Korenmolenlaan 17, 1034 WL Amsterdam`. Without a postal code the last comma separates street and
 * city; without either the whole text is a street. Country is `NL` with a postal code, otherwise the one at the end.
 */
export function parseAddressText(text: string, onUnplaced?: OnUnplaced): Address {
  // KVK pads between street and city.
  const spaced = text
    .trim()
    .replace(/\s{3,}/gu, ", ")
    .replace(/\s+/gu, " ");
  if (isTooLong(spaced)) return { street: spaced };
  const { rest: line, country } = splitCountry(spaced);
  if (line === "") return {};
  if (country !== undefined && country !== "NL") return { street: line, country };
  for (const pattern of POSTAL_CODE_INSIDE) {
    const found = [...line.matchAll(pattern)].at(-1);
    if (found === undefined) continue;
    const before = line.slice(0, found.index).replace(/(?<![\s,;|/(–-])[\s,;|/(–-]+$/, "");
    const after = line.slice(found.index + found[0].length).replace(/^[\s,;|/)–-]+/, "");
    const [street, city] = inOrder(before, after);
    return {
      ...(street === "" ? {} : splitStreet(street, onUnplaced)),
      ...known("postalCode", parsePostalCode(found[1] ?? "")),
      ...known("city", parseCity(city, onUnplaced)),
      country: "NL",
    };
  }
  const separator = /[,;|](?=[^,;|0-9]*$)|\s\/\s(?=[^/0-9]*$)/.exec(line);
  const [start, end] =
    separator === null ? [line, ""] : [line.slice(0, separator.index), line.slice(separator.index + 1)];
  const city = end.replace(/^[\s/]+/, "");
  const isStreet = isUnambiguousCity(city) && splitStreet(start).houseNumber !== undefined;
  const parts = isStreet ? { ...splitStreet(start, onUnplaced), city } : splitStreet(line, onUnplaced);
  return { ...parts, ...known("country", country) };
}

/** Street and city from the texts before and after a postal code: some write the city first. */
function inOrder(before: string, after: string): readonly [street: string, city: string] {
  const hasNumber = (text: string) => splitStreet(text).houseNumber !== undefined;
  if (hasNumber(before) || !hasNumber(after)) return [before, after];
  const parts = (before === "" ? after : `${before}, ${after}`).split(/[,;|]\s*/);
  const at = parts.findIndex(hasNumber);
  return [parts[at] ?? "", parts.toSpliced(at, 1).join(", ")];
}

/** Text behind a city, other than a province: `Rommeldam, ingang achterzijde`, `Rommeldam (achterom)`. */
const BEHIND_CITY = new RegExp(
  `(?<!\\s)\\s*(?:[,;|]|\\s[-–/]\\s|(?!${PROVINCE})\\().*$|\\s(?:c/o|p/a|t\\.?\\s?a\\.?\\s?v\\b|ter attentie).*$`,
  "isu",
);

/** A city with the region that sets it apart from others of its name: `Nes (Ameland)`. Input: at most 500 letters. */
const NAMED_PART = /^[^,;|/]{2,} \((\p{Lu}[\p{L}. -]*)\)$/u;

/** The city of a text; whatever else it holds is passed to `onUnplaced`. */
function parseCity(text: string, onUnplaced: OnUnplaced = () => {}): string | undefined {
  if (/^[^\p{L}]+$/u.test(text)) return void onUnplaced(text);
  const rest =
    isTooLong(text) || isUnambiguousCity(NAMED_PART.exec(text)?.[1] ?? "") ? null : BEHIND_CITY.exec(text);
  const city = rest === null ? text : text.slice(0, rest.index);
  if (rest !== null && !isUnambiguousCity(city)) return tidy(text);
  if (rest !== null) onUnplaced(rest[0].replace(/^[\s,;|(/–-]+/, "").replace(/\)$/, ""));
  return tidy(city);
}

/**
 * Parses the field of a city, in which people also write the country, the postal code or the whole address.
 * @param own the country of the address, if known
 */
export function parseCityText(text: string, own?: string, onUnplaced?: OnUnplaced): Address {
  const { rest, country } = splitCountry(text, own);
  const whole = parseAddressText(rest);
  if (whole.postalCode === undefined) {
    // Foreign cities are kept as given.
    const city = (own ?? country ?? "NL") === "NL" ? parseCity(rest, onUnplaced) : tidy(rest);
    return { ...known("city", city), ...known("country", country) };
  }
  const { street, ...others } = whole;
  if (street === undefined || whole.city !== undefined || whole.houseNumber !== undefined)
    return parseAddressText(rest, onUnplaced);
  return { ...others, ...known("city", parseCity(street, onUnplaced)) };
}
