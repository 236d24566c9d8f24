import type { Address } from "../contract/resources.ts";
import { parsePostalCode } from "./address.ts";
import { parseCountry } from "./country.ts";
import { isNoAddress, splitStreet } from "./streetLine.ts";

/** Capitals first: in small letters `1940 en` looks like a postal code. The last one in the text is taken. */
const POSTAL_CODE_INSIDE = [
  /(?<=^|[\s,])(?:NL-)?([1-9][0-9]{3} ?[A-Z]{2})(?=$|[\s,])/g,
  /(?<=^|[\s,])(?:nl-)?([1-9][0-9]{3} ?[a-z]{2})(?=$|[\s,])/gi,
];
const HOME_COUNTRY = /[\s,]+(?:nederland|the netherlands|netherlands|holland|nl)\.?$/i;

/**
 * A whole Dutch address in one text, such as KVK's volledigAdres (`Korenmolenlaan 17 M      1034WL Amsterdam`, with
 * padding) or a spreadsheet's `Korenmolenlaan 17, 1034 WL Amsterdam`. Without a postal code the last comma parts
 * street and city; without either the text is a street as a whole. Country is `NL` when there is a postal code.
 */
export function parseAddressText(text: string): Address {
  // KVK pads between street and city.
  const spaced = text
    .trim()
    .replace(/\s{3,}/gu, ", ")
    .replace(/\s+/gu, " ");
  if (isNoAddress(spaced)) return { street: spaced };
  const parted = /^(.*),([^,]*)$/.exec(spaced);
  const isHome = parted !== null && parseCountry(parted[2] ?? "") === "NL";
  const line = (isHome ? (parted[1] ?? "") : spaced.replace(HOME_COUNTRY, "")).trim();
  if (line === "") return {};
  for (const pattern of POSTAL_CODE_INSIDE) {
    const found = [...line.matchAll(pattern)].at(-1);
    if (found === undefined) continue;
    const street = line.slice(0, found.index).replace(/[\s,]+$/, "");
    const city = line.slice(found.index + found[0].length).replace(/^[\s,]+/, "");
    const postalCode = parsePostalCode(found[1] ?? "");
    return {
      ...(street === "" ? {} : splitStreet(street)),
      ...(postalCode === undefined ? {} : { postalCode }),
      ...(city === "" ? {} : { city }),
      country: "NL",
    };
  }
  const comma = line.lastIndexOf(",");
  const country = comma === -1 ? undefined : parseCountry(line.slice(comma + 1));
  if (country !== undefined && country !== "NL") return { street: line.slice(0, comma), country };
  const split = splitStreet(line.slice(0, comma === -1 ? undefined : comma));
  const city = comma === -1 ? "" : line.slice(comma + 1).trim();
  return split.houseNumber !== undefined && city !== "" ? { ...split, city } : splitStreet(line);
}
